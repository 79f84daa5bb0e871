"""Every payload mode and checksum that boto3 can send, against the endpoint in ENDPOINT.

Prints a line for each check; ends with "all passed" or raises.
"""
import hashlib
import io
import itertools
import os
import random
import sys
import urllib.request
import ssl

import boto3
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import ClientError

ENDPOINT = os.environ["ENDPOINT"]
CA_BUNDLE = os.environ.get("CA_BUNDLE")
SIZES = [0, 1, 4096, 4097, 65536, 1 << 20, (5 << 20) + 1]
ALGORITHMS = ["CRC32", "SHA1", "SHA256"]  # CRC32C and CRC64NVME need the optional awscrt
BUCKET = "boto3"


def client(**s3):
    top = {key: s3.pop(key) for key in list(s3) if key.startswith(("request_", "response_"))}
    return boto3.client(
        "s3",
        endpoint_url=ENDPOINT,
        region_name="us-east-1",
        verify=CA_BUNDLE or True,
        config=Config(
            signature_version=s3.pop("signature_version", "s3v4"),
            retries={"max_attempts": 1},
            s3={"addressing_style": "path", **s3},
            **top,
        ),
    )


def content(size):
    return random.Random(size).randbytes(size)


def check(name, held):
    if not held:
        raise AssertionError(name)
    print("ok", name)


def refused(name, code, call):
    try:
        call()
    except ClientError as error:
        check(name, error.response["Error"]["Code"] == code)
        return
    raise AssertionError(name + ": not refused")


def payload_modes(s3):
    modes = itertools.product([True, False], ["when_supported", "when_required"], SIZES)
    for signed, sums, size in modes:
        one = client(payload_signing_enabled=signed, request_checksum_calculation=sums)
        body = content(size)
        name = f"signed={signed} checksum={sums} size={size}"
        one.put_object(Bucket=BUCKET, Key="mode", Body=body)
        check("bytes " + name, s3.get_object(Bucket=BUCKET, Key="mode")["Body"].read() == body)
        one.put_object(Bucket=BUCKET, Key="mode", Body=io.BytesIO(body))
        check("stream " + name, s3.get_object(Bucket=BUCKET, Key="mode")["Body"].read() == body)


def checksums(s3):
    for algorithm, size in itertools.product(ALGORITHMS, [0, 100, 200_000]):
        body = content(size)
        field = "Checksum" + algorithm
        put = s3.put_object(Bucket=BUCKET, Key="sum", Body=body, ChecksumAlgorithm=algorithm)
        got = s3.get_object(Bucket=BUCKET, Key="sum", ChecksumMode="ENABLED")
        check(f"{algorithm} {size} read", got["Body"].read() == body)
        check(f"{algorithm} {size} returned", got[field] == put[field])
        head = s3.head_object(Bucket=BUCKET, Key="sum", ChecksumMode="ENABLED")
        check(f"{algorithm} {size} head", head[field] == put[field])
    refused("wrong sha256", "BadDigest", lambda: s3.put_object(
        Bucket=BUCKET, Key="bad", Body=b"x",
        ChecksumSHA256="47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="))
    refused("wrong md5", "BadDigest", lambda: s3.put_object(
        Bucket=BUCKET, Key="bad", Body=b"x", ContentMD5="1B2M2Y8AsgTpgAmY7PhCfg=="))


def multipart(s3):
    body = content(21 << 20)
    transfer = TransferConfig(multipart_threshold=5 << 20, multipart_chunksize=5 << 20)
    for algorithm in [None, *ALGORITHMS]:
        extra = {"ChecksumAlgorithm": algorithm} if algorithm else {}
        s3.upload_fileobj(io.BytesIO(body), BUCKET, "multi", ExtraArgs=extra, Config=transfer)
        target = io.BytesIO()
        s3.download_fileobj(BUCKET, "multi", target, Config=transfer)
        check(f"multipart {algorithm}", target.getvalue() == body)
        tag = s3.head_object(Bucket=BUCKET, Key="multi")["ETag"]
        parts = [hashlib.md5(body[at:at + (5 << 20)]).digest() for at in range(0, len(body), 5 << 20)]
        expected = hashlib.md5(b"".join(parts)).hexdigest() + f"-{len(parts)}"
        check(f"multipart tag {algorithm}", tag.strip('"') == expected)


def presigned(s3):
    body = content(70_000)
    context = ssl.create_default_context(cafile=CA_BUNDLE) if CA_BUNDLE else None
    url = s3.generate_presigned_url("put_object", {"Bucket": BUCKET, "Key": "signed"}, 60)
    request = urllib.request.Request(url, data=body, method="PUT")
    with urllib.request.urlopen(request, context=context) as answer:
        check("presigned put", answer.status == 200)
    url = s3.generate_presigned_url("get_object", {"Bucket": BUCKET, "Key": "signed"}, 60)
    with urllib.request.urlopen(url, context=context) as answer:
        check("presigned get", answer.read() == body)


def configurations(s3):
    tags = [{"Key": "team", "Value": "blue"}]
    s3.put_bucket_tagging(Bucket=BUCKET, Tagging={"TagSet": tags})
    check("bucket tags", s3.get_bucket_tagging(Bucket=BUCKET)["TagSet"] == tags)
    s3.delete_bucket_tagging(Bucket=BUCKET)
    refused("no bucket tags", "NoSuchTagSet", lambda: s3.get_bucket_tagging(Bucket=BUCKET))
    s3.put_object(Bucket=BUCKET, Key="tagged", Body=b"x", Tagging="team=blue")
    check("object tags", s3.get_object_tagging(Bucket=BUCKET, Key="tagged")["TagSet"] == tags)
    check("tag count", s3.head_object(Bucket=BUCKET, Key="tagged")["TagCount"] == 1)
    s3.put_object_tagging(Bucket=BUCKET, Key="tagged", Tagging={"TagSet": []})
    check("no tags", s3.get_object_tagging(Bucket=BUCKET, Key="tagged")["TagSet"] == [])
    rules = [{"AllowedOrigins": ["https://*.example.com"], "AllowedMethods": ["GET"],
              "ExposeHeaders": ["ETag"], "MaxAgeSeconds": 60}]
    s3.put_bucket_cors(Bucket=BUCKET, CORSConfiguration={"CORSRules": rules})
    check("CORS rules", s3.get_bucket_cors(Bucket=BUCKET)["CORSRules"] == rules)
    url = s3.generate_presigned_url("get_object", {"Bucket": BUCKET, "Key": "signed"}, 60)
    request = urllib.request.Request(url, headers={"Origin": "https://www.example.com"})
    context = ssl.create_default_context(cafile=CA_BUNDLE) if CA_BUNDLE else None
    with urllib.request.urlopen(request, context=context) as answer:
        allowed = answer.headers["Access-Control-Allow-Origin"]
        check("CORS header", allowed == "https://www.example.com")
    s3.delete_bucket_cors(Bucket=BUCKET)
    block = {"BlockPublicAcls": True, "IgnorePublicAcls": False, "BlockPublicPolicy": True,
             "RestrictPublicBuckets": False}
    s3.put_public_access_block(Bucket=BUCKET, PublicAccessBlockConfiguration=block)
    answer = s3.get_public_access_block(Bucket=BUCKET)
    check("public access block", answer["PublicAccessBlockConfiguration"] == block)
    controls = {"Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]}
    s3.put_bucket_ownership_controls(Bucket=BUCKET, OwnershipControls=controls)
    answer = s3.get_bucket_ownership_controls(Bucket=BUCKET)
    check("ownership", answer["OwnershipControls"] == controls)


def errors(s3):
    refused("no such key", "NoSuchKey", lambda: s3.get_object(Bucket=BUCKET, Key="none"))
    refused("no such bucket", "NoSuchBucket", lambda: s3.list_objects_v2(Bucket="none-such"))
    refused("unknown sub-resource", "NotImplemented",
            lambda: s3.get_object_torrent(Bucket=BUCKET, Key="mode"))
    refused("bucket not empty", "BucketNotEmpty", lambda: s3.delete_bucket(Bucket=BUCKET))


def main():
    s3 = client()
    s3.create_bucket(Bucket=BUCKET)
    payload_modes(s3)
    checksums(s3)
    multipart(s3)
    presigned(s3)
    configurations(s3)
    errors(s3)
    print("all passed")


if __name__ == "__main__":
    sys.exit(main())
