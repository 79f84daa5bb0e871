"""Server-side encryption as boto3 speaks it, against the endpoint in ENDPOINT.

The server has the named keys "first" and "second". With DATA, its data directory, files there are
searched for the plain text. With AGAIN, only what an earlier run wrote is read. Prints a line for each check; ends with "all passed" or raises.
"""
import base64
import hashlib
import io
import json
import os
import random
import urllib.error
import urllib.request

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

ENDPOINT = os.environ["ENDPOINT"]
DATA = os.environ.get("DATA")
CA_BUNDLE = os.environ.get("CA_BUNDLE")
PART = 5 << 20
SIZES = [0, 1, 4096, 4097, 300000, PART + 7]

S3 = boto3.client(
    "s3",
    endpoint_url=ENDPOINT,
    region_name="us-east-1",
    verify=CA_BUNDLE or True,
    config=Config(
        signature_version="s3v4", retries={"max_attempts": 1}, s3={"addressing_style": "path"}
    ),
)


def content(size, seed=0):
    """Words that can be found again, and never the same chunk twice."""
    words = b"".join(b"these words must not be found %d %d;" % (seed, i) for i in range(size // 32 + 1))
    return words[:size]


def check(name, held):
    if not held:
        raise AssertionError(name)
    print("ok", name)


def refused(name, status, codes, call):
    codes = [codes] if isinstance(codes, str) else codes
    try:
        call()
    except ClientError as error:
        got = (error.response["ResponseMetadata"]["HTTPStatusCode"], error.response["Error"]["Code"])
        if got[0] != status or got[1] not in codes:
            raise AssertionError("%s: %s %s, not %s %s" % (name, *got, status, codes))
        print("ok", name)
        return
    raise AssertionError(name + ": not refused")


def customer(seed, prefix="SSECustomer"):
    key = random.Random(seed).randbytes(32)
    return {
        prefix + "Algorithm": "AES256",
        prefix + "Key": base64.b64encode(key).decode(),
        prefix + "KeyMD5": base64.b64encode(hashlib.md5(key).digest()).decode(),
    }


def source_key(seed):
    return customer(seed, "CopySourceSSECustomer")


def body_of(bucket, key, **more):
    return S3.get_object(Bucket=bucket, Key=key, **more)["Body"].read()


MANAGED = {"ServerSideEncryption": "AES256"}
KMS = {"ServerSideEncryption": "aws:kms", "SSEKMSKeyId": "first"}
KMS2 = {"ServerSideEncryption": "aws:kms", "SSEKMSKeyId": "second"}
DSSE = {"ServerSideEncryption": "aws:kms:dsse", "SSEKMSKeyId": "first"}


def says(answer, asked):
    if "SSECustomerKey" in asked:
        return (
            answer.get("SSECustomerAlgorithm") == "AES256"
            and answer.get("SSECustomerKeyMD5") == asked["SSECustomerKeyMD5"]
            and "ServerSideEncryption" not in answer
        )
    return (
        answer.get("ServerSideEncryption") == asked.get("ServerSideEncryption")
        and answer.get("SSEKMSKeyId") == asked.get("SSEKMSKeyId")
        and "SSECustomerAlgorithm" not in answer
    )


def reading(asked):
    return asked if "SSECustomerKey" in asked else {}


def put_and_get(bucket):
    for name, asked in KINDS.items():
        for size in SIZES:
            data = content(size, len(name))
            key = "%s/%d" % (name, size)
            put = S3.put_object(Bucket=bucket, Key=key, Body=data, **asked)
            got = S3.get_object(Bucket=bucket, Key=key, ChecksumMode="ENABLED", **reading(asked))
            head = S3.head_object(Bucket=bucket, Key=key, **reading(asked))
            check("%s put" % key, says(put, asked))
            check("%s get" % key, says(got, asked) and got["Body"].read() == data)
            check("%s head" % key, says(head, asked) and head["ContentLength"] == size)
            check("%s checksum" % key, got["ChecksumCRC32"] == put["ChecksumCRC32"])
            is_md5 = put["ETag"].strip('"') == hashlib.md5(data).hexdigest()
            check("%s entity tag" % key, is_md5 == (name in ("clear", "managed")))
            if size > 10:
                ranged = body_of(bucket, key, Range="bytes=3-%d" % (size - 4), **reading(asked))
                check("%s range" % key, ranged == data[3 : size - 3])
            attributes = S3.get_object_attributes(
                Bucket=bucket, Key=key, ObjectAttributes=["ETag", "ObjectSize"], **reading(asked)
            )
            check("%s attributes" % key, attributes["ObjectSize"] == size)


def multipart(bucket):
    for name, asked in KINDS.items():
        key = "parts/" + name
        upload = S3.create_multipart_upload(Bucket=bucket, Key=key, **asked)
        check(key + " begun", says(upload, asked))
        where = {"Bucket": bucket, "Key": key, "UploadId": upload["UploadId"]}
        parts = [content(PART, 1), content(PART + 3, 2), content(100, 3)]
        named = []
        for number, part in enumerate(parts, 1):
            sent = S3.upload_part(PartNumber=number, Body=part, **where, **reading(asked))
            check("%s part %d" % (key, number), says(sent, asked))
            named.append({"PartNumber": number, "ETag": sent["ETag"]})
        S3.complete_multipart_upload(MultipartUpload={"Parts": named}, **where)
        whole = b"".join(parts)
        check(key + " whole", body_of(bucket, key, **reading(asked)) == whole)
        head = S3.head_object(Bucket=bucket, Key=key, **reading(asked))
        check(key + " head", says(head, asked) and head["ETag"].endswith('-3"'))
        second = S3.get_object(Bucket=bucket, Key=key, PartNumber=2, **reading(asked))
        check(key + " second part", second["Body"].read() == parts[1])
        across = body_of(bucket, key, Range="bytes=%d-%d" % (PART - 5, 2 * PART + 50), **reading(asked))
        check(key + " range across parts", across == whole[PART - 5 : 2 * PART + 51])


def copies(bucket):
    for from_name, from_asked in KINDS.items():
        for to_name, to_asked in KINDS.items():
            for size in (1000, 300000):
                source = {"Bucket": bucket, "Key": "copy/%s/%d" % (from_name, size)}
                data = content(size, 7)
                S3.put_object(Body=data, **source, **from_asked)
                key = "copy/%s-%s/%d" % (from_name, to_name, size)
                opening = source_key(1) if from_name == "customer" else {}
                copied = S3.copy_object(
                    Bucket=bucket, Key=key, CopySource=source, **to_asked, **opening
                )
                check(key + " copied", says(copied, to_asked))
                check(key + " read", body_of(bucket, key, **reading(to_asked)) == data)
                part_key = key + "/part"
                upload = S3.create_multipart_upload(Bucket=bucket, Key=part_key, **to_asked)
                where = {"Bucket": bucket, "Key": part_key, "UploadId": upload["UploadId"]}
                part = S3.upload_part_copy(
                    PartNumber=1,
                    CopySource=source,
                    CopySourceRange="bytes=10-%d" % (size - 11),
                    **where,
                    **opening,
                    **reading(to_asked),
                )
                etag = part["CopyPartResult"]["ETag"]
                is_md5 = etag.strip('"') == hashlib.md5(data[10 : size - 10]).hexdigest()
                check(part_key + " entity tag", is_md5 == (to_name in ("clear", "managed")))
                S3.complete_multipart_upload(
                    MultipartUpload={"Parts": [{"PartNumber": 1, "ETag": etag}]}, **where
                )
                check(part_key + " read", body_of(bucket, part_key, **reading(to_asked)) == data[10 : size - 10])


def itself(bucket):
    key = "itself"
    S3.put_object(Bucket=bucket, Key=key, Body=b"x" * 5000)
    source = {"Bucket": bucket, "Key": key}
    refused(
        "copy to itself that changes nothing",
        400,
        "InvalidRequest",
        lambda: S3.copy_object(Bucket=bucket, Key=key, CopySource=source),
    )
    S3.copy_object(Bucket=bucket, Key=key, CopySource=source, **MANAGED)
    check("copy to itself encrypts", says(S3.head_object(Bucket=bucket, Key=key), MANAGED))
    check("and keeps the bytes", body_of(bucket, key) == b"x" * 5000)


def wrong_requests(bucket):
    put = lambda **more: lambda: S3.put_object(Bucket=bucket, Key="wrong", Body=b"x", **more)
    refused("unknown algorithm", 400, "InvalidArgument", raw_put(bucket, {"x-amz-server-side-encryption": "aes:kms"}))
    refused("empty algorithm", 400, "InvalidArgument", raw_put(bucket, {"x-amz-server-side-encryption": ""}))
    refused("key id without algorithm", 400, "InvalidArgument", put(SSEKMSKeyId="first"))
    refused("key id with AES256", 400, "InvalidArgument", put(SSEKMSKeyId="first", **MANAGED))
    refused("unknown key", 400, "KMS.NotFoundException", put(ServerSideEncryption="aws:kms", SSEKMSKeyId="alias/nobody"))
    refused(
        "context that is none",
        400,
        "InvalidArgument",
        put(SSEKMSEncryptionContext=base64.b64encode(b"[1]").decode(), **KMS),
    )
    refused("both kinds", 400, "InvalidArgument", put(**MANAGED, **customer(1)))
    wrong_md5 = dict(customer(1), SSECustomerKeyMD5=customer(2)["SSECustomerKeyMD5"])
    refused("MD5 of another key", 400, "InvalidArgument", put(**wrong_md5))
    refused(
        "customer algorithm",
        400,
        "InvalidEncryptionAlgorithmError",
        put(**dict(customer(1), SSECustomerAlgorithm="AES128")),
    )
    short = base64.b64encode(b"k" * 16).decode()
    refused(
        "short key",
        400,
        "InvalidArgument",
        put(
            SSECustomerAlgorithm="AES256",
            SSECustomerKey=short,
            SSECustomerKeyMD5=base64.b64encode(hashlib.md5(b"k" * 16).digest()).decode(),
        ),
    )
    refused("algorithm without key", 400, "InvalidArgument", put(SSECustomerAlgorithm="AES256"))


def raw_put(bucket, headers):
    """What boto3 would not send by itself."""

    def send():
        def add(request, **_):
            for name, value in headers.items():
                request.headers[name] = value

        S3.meta.events.register("before-sign.s3.PutObject", add)
        try:
            S3.put_object(Bucket=bucket, Key="raw", Body=b"x")
        finally:
            S3.meta.events.unregister("before-sign.s3.PutObject", add)

    return send


def wrong_reads(bucket):
    S3.put_object(Bucket=bucket, Key="locked", Body=content(5000), **customer(1))
    S3.put_object(Bucket=bucket, Key="open", Body=b"x")
    for name, call in (("get", S3.get_object), ("head", S3.head_object)):
        code = lambda text, status: text if name == "get" else str(status)
        refused(name + " without key", 400, code("InvalidRequest", 400), lambda: call(Bucket=bucket, Key="locked"))
        refused(
            name + " with another key",
            403,
            code("AccessDenied", 403),
            lambda: call(Bucket=bucket, Key="locked", **customer(2)),
        )
        refused(
            name + " with a key for nothing",
            400,
            code("InvalidRequest", 400),
            lambda: call(Bucket=bucket, Key="open", **customer(1)),
        )
    locked = {"Bucket": bucket, "Key": "locked"}
    refused(
        "copy without key", 400, "InvalidRequest", lambda: S3.copy_object(Bucket=bucket, Key="c", CopySource=locked)
    )
    refused(
        "copy with another key",
        403,
        "AccessDenied",
        lambda: S3.copy_object(Bucket=bucket, Key="c", CopySource=locked, **source_key(2)),
    )
    upload = S3.create_multipart_upload(Bucket=bucket, Key="u", **customer(1))
    part = {"Bucket": bucket, "Key": "u", "UploadId": upload["UploadId"], "PartNumber": 1, "Body": b"x"}
    refused("part without key", 400, "InvalidRequest", lambda: S3.upload_part(**part))
    refused("part with another key", 400, "InvalidRequest", lambda: S3.upload_part(**part, **customer(2)))
    S3.abort_multipart_upload(Bucket=bucket, Key="u", UploadId=upload["UploadId"])
    upload = S3.create_multipart_upload(Bucket=bucket, Key="u")
    part["UploadId"] = upload["UploadId"]
    refused("part with a key for nothing", 400, "InvalidRequest", lambda: S3.upload_part(**part, **customer(2)))


def bucket_default(bucket):
    refused(
        "no configuration",
        404,
        "ServerSideEncryptionConfigurationNotFoundError",
        lambda: S3.get_bucket_encryption(Bucket=bucket),
    )

    def configure(algorithm, **more):
        rule = {"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": algorithm, **more}}
        S3.put_bucket_encryption(Bucket=bucket, ServerSideEncryptionConfiguration={"Rules": [rule]})

    configure("AES256")
    rules = S3.get_bucket_encryption(Bucket=bucket)["ServerSideEncryptionConfiguration"]["Rules"]
    check(
        "configuration",
        rules
        == [{"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}, "BucketKeyEnabled": False}],
    )
    check("default", says(S3.put_object(Bucket=bucket, Key="d", Body=b"x"), MANAGED))
    check("own word", says(S3.put_object(Bucket=bucket, Key="d", Body=b"x", **KMS), KMS))
    configure("aws:kms", KMSMasterKeyID="second")
    check("default key", says(S3.put_object(Bucket=bucket, Key="d", Body=b"x"), KMS2))
    check("default of an upload", says(S3.create_multipart_upload(Bucket=bucket, Key="d"), KMS2))
    copied = S3.copy_object(Bucket=bucket, Key="e", CopySource={"Bucket": bucket, "Key": "d"})
    check("default of a copy", says(copied, KMS2))
    configure("aws:kms")
    put = S3.put_object(Bucket=bucket, Key="d", Body=b"x")
    check("key of the account", put["SSEKMSKeyId"].startswith("arn:aws:kms:"))
    named = S3.put_object(Bucket=bucket, Key="d", Body=b"y", ServerSideEncryption="aws:kms", SSEKMSKeyId=put["SSEKMSKeyId"])
    check("and by its name", named["SSEKMSKeyId"] == put["SSEKMSKeyId"])
    refused("unknown algorithm", 400, "MalformedXML", lambda: configure("AES512"))
    refused("key with AES256", 400, "InvalidArgument", lambda: configure("AES256", KMSMasterKeyID="first"))
    S3.delete_bucket_encryption(Bucket=bucket)
    S3.delete_bucket_encryption(Bucket=bucket)
    check("no default", says(S3.put_object(Bucket=bucket, Key="d", Body=b"x"), {}))


def context_and_bucket_key(bucket):
    context = base64.b64encode(json.dumps({"project": "x"}).encode()).decode()
    put = S3.put_object(
        Bucket=bucket, Key="ctx", Body=b"x", SSEKMSEncryptionContext=context, BucketKeyEnabled=True, **KMS
    )
    check("context", put["SSEKMSEncryptionContext"] == context)
    check("bucket key", put["BucketKeyEnabled"] is True)
    check("bucket key is kept", S3.head_object(Bucket=bucket, Key="ctx")["BucketKeyEnabled"] is True)


def form(bucket):
    post = S3.generate_presigned_post(
        Bucket=bucket,
        Key="form",
        Fields={"x-amz-server-side-encryption": "AES256"},
        Conditions=[{"x-amz-server-side-encryption": "AES256"}],
    )
    edge = "edge-of-the-form"
    body = b""
    for name, value in post["fields"].items():
        body += ('--%s\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (edge, name, value)).encode()
    body += ('--%s\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n' % edge).encode()
    body += content(500) + ("\r\n--%s--\r\n" % edge).encode()
    request = urllib.request.Request(
        post["url"], body, {"Content-Type": "multipart/form-data; boundary=" + edge}, method="POST"
    )
    answer = urllib.request.urlopen(request)
    check("form", answer.headers["x-amz-server-side-encryption"] == "AES256")
    check("form is read", body_of(bucket, "form") == content(500))


def nothing_on_disk():
    needle = b"these words must not"
    for folder, _, names in os.walk(DATA):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                check_file = needle not in file.read()
            if not check_file:
                raise AssertionError("plain text in " + os.path.join(folder, name))
    print("ok no plain text in", DATA)


KINDS = {
    "clear": {},
    "managed": MANAGED,
    "kms": KMS,
    "dsse": DSSE,
    "customer": customer(1),
}


def read_again(bucket):
    for name, asked in KINDS.items():
        for size in SIZES:
            key = "%s/%d" % (name, size)
            check(key + " again", body_of(bucket, key, **reading(asked)) == content(size, len(name)))


def main():
    bucket = "encryption"
    if "AGAIN" in os.environ:
        read_again(bucket)
        print("all passed")
        return
    S3.create_bucket(Bucket=bucket)
    if DATA:
        del KINDS["clear"]
        put_and_get(bucket)
        multipart(bucket)
        form(bucket)
        nothing_on_disk()
        KINDS["clear"] = {}
    put_and_get(bucket)
    multipart(bucket)
    copies(bucket)
    itself(bucket)
    wrong_requests(bucket)
    wrong_reads(bucket)
    bucket_default(bucket)
    context_and_bucket_key(bucket)
    form(bucket)
    print("all passed")


main()
