"""Forms, checksums, life-cycle rules and exact refusals, against the endpoint in ENDPOINT.

The server must take signatures of version 2 and mean a second by a day of life-cycle rules.
Prints a line for each check; ends with "all passed" or raises.
"""
import base64
import datetime
import hashlib
import hmac
import http.client
import json
import os
import re
import time
import urllib.parse

import boto3
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials
from botocore.exceptions import ClientError

ENDPOINT = os.environ["ENDPOINT"]
HOST = urllib.parse.urlparse(ENDPOINT).netloc
KEYS = Credentials(os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"])
BUCKET = "forms"
BOUNDARY = "------------------------d74496d66958873e"


def client(version):
    return boto3.client(
        "s3",
        endpoint_url=ENDPOINT,
        region_name="us-east-1",
        config=Config(
            signature_version=version,
            retries={"max_attempts": 0},
            s3={"addressing_style": "path"},
        ),
    )


s3 = client("s3v4")


def check(name, held):
    if not held:
        raise AssertionError(name)
    print("ok", name)


def refused(name, status, code, call, **arguments):
    try:
        call(**arguments)
    except ClientError as error:
        got = (error.response["ResponseMetadata"]["HTTPStatusCode"], error.response["Error"]["Code"])
        check(f"{name} is {status} {code}, was {got}", got == (status, code))
        return
    raise AssertionError(name + ": not refused")


def send(method, path, headers=None, body=b"", signed=True, changed=None):
    """Exactly these headers; what changes after signing is not covered by it."""
    request = AWSRequest(method=method, url=ENDPOINT + path, data=body, headers=headers or {})
    if signed:
        S3SigV4Auth(KEYS, "s3", "us-east-1").add_auth(request)
    lines = dict(request.headers.items())
    lines.setdefault("Host", HOST)
    if body or method in ("PUT", "POST"):
        lines.setdefault("Content-Length", str(len(body)))
    for name, value in (changed or {}).items():
        for known in [known for known in lines if known.lower() == name.lower()]:
            del lines[known]
        if value is not None:
            lines[name] = value
    connection = http.client.HTTPConnection(HOST, timeout=20)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in lines.items():
        connection.putheader(name, value)
    connection.endheaders()
    if body:
        connection.send(body)
    response = connection.getresponse()
    text = response.read()
    connection.close()
    code = re.search(rb"<Code>(.*?)</Code>", text)
    return response.status, code.group(1).decode() if code else "", response, text


def answered(name, status, code, *request, **more):
    got = send(*request, **more)
    check(f"{name} is {status} {code}, was {got[:2]}", got[:2] == (status, code))
    return got


# ---- forms ----


def post(fields, file=b"bar", bucket=BUCKET, file_name="local.txt"):
    body = b""
    for name, value in fields.items():
        body += f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
    if file is not None:
        body += f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{file_name}"\r\n\r\n'.encode()
        body += file + b"\r\n"
    body += f"--{BOUNDARY}--\r\n".encode()
    headers = {"Content-Type": "multipart/form-data; boundary=" + BOUNDARY}
    return send("POST", "/" + bucket, headers, body, signed=False)


def policy(*conditions, seconds=600):
    until = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    text = {"expiration": until.strftime("%Y-%m-%dT%H:%M:%SZ"), "conditions": list(conditions)}
    return base64.b64encode(json.dumps(text).encode()).decode()


def signed2(text, **fields):
    digest = hmac.new(KEYS.secret_key.encode(), text.encode(), hashlib.sha1).digest()
    return {
        **fields,
        "AWSAccessKeyId": KEYS.access_key,
        "policy": text,
        "signature": base64.b64encode(digest).decode(),
    }


def forms():
    presigned = s3.generate_presigned_post(
        BUCKET,
        "v4/${filename}",
        Fields={"success_action_status": "201", "Content-Type": "text/plain"},
        Conditions=[
            {"success_action_status": "201"},
            ["starts-with", "$Content-Type", "text/"],
            ["content-length-range", 1, 10],
        ],
    )
    status, _, response, text = post(presigned["fields"])
    check("a form of version 4 is stored", status == 201)
    check("it is told where", b"<Key>v4/local.txt</Key>" in text and b"<Bucket>forms</Bucket>" in text)
    got = s3.get_object(Bucket=BUCKET, Key="v4/local.txt")
    check("its fields are the object's", got["ContentType"] == "text/plain" and got["Body"].read() == b"bar")
    check("too much is EntityTooLarge", post(presigned["fields"], b"x" * 11)[:2] == (400, "EntityTooLarge"))
    check("too little is EntityTooSmall", post(presigned["fields"], b"")[:2] == (400, "EntityTooSmall"))
    other = {**presigned["fields"], "Content-Type": "image/png"}
    check("another type is denied", post(other)[:2] == (403, "AccessDenied"))
    more = {"x-amz-meta-more": "1", **presigned["fields"]}
    check("another field is denied", post(more)[:2] == (403, "AccessDenied"))
    forged = {**presigned["fields"], "x-amz-signature": "0" * 64}
    check("a forged signature is refused", post(forged)[:2] == (403, "SignatureDoesNotMatch"))

    usual = [{"bucket": BUCKET}, ["starts-with", "$key", "v2/"]]
    check("a form of version 2 is stored", post(signed2(policy(*usual), key="v2/a"))[0] == 204)
    check("an expired one is denied", post(signed2(policy(*usual, seconds=-5), key="v2/a"))[:2] == (403, "AccessDenied"))
    check("another key is denied", post(signed2(policy(*usual), key="v3/a"))[:2] == (403, "AccessDenied"))
    check("a broken policy is invalid", post(signed2("bm8gSlNPTg==", key="v2/a"))[:2] == (400, "InvalidPolicyDocument"))
    check("a form without a file is refused", post(signed2(policy(*usual), key="v2/a"), None)[0] == 400)
    check("an unsigned form is denied", post({"key": "k"})[:2] == (403, "AccessDenied"))
    to = "http://example.com/next"
    status, _, response, _ = post(
        signed2(policy(*usual, {"success_action_redirect": to}), key="v2/a", success_action_redirect=to)
    )
    etag = hashlib.md5(b"bar").hexdigest()
    check("a browser is sent on", status == 303)
    check(
        "with what was stored",
        response.getheader("Location") == f"{to}?bucket=forms&key=v2%2Fa&etag=%22{etag}%22",
    )


def version2():
    old = client("s3")
    old.put_object(Bucket=BUCKET, Key="v2 header/ü", Body=b"old", Metadata={"a": "b"})
    check("version 2 in headers", old.get_object(Bucket=BUCKET, Key="v2 header/ü")["Body"].read() == b"old")
    check("version 2 signs sub-resources", old.get_bucket_location(Bucket=BUCKET)["LocationConstraint"] is None)
    url = old.generate_presigned_url("get_object", {"Bucket": BUCKET, "Key": "v2 header/ü"})
    check("a URL of version 2", "AWSAccessKeyId=" in url)
    parts = urllib.parse.urlsplit(url)
    got = send("GET", parts.path + "?" + parts.query, signed=False)
    check("is answered", got[0] == 200 and got[3] == b"old")
    answered("a forged one", 403, "SignatureDoesNotMatch", "GET", parts.path + "x?" + parts.query, signed=False)


# ---- checksums ----

# Of "abc".
CHECKSUMS = {
    "crc32": "NSRBwg==",
    "crc32c": "Nks/tw==",
    "crc64nvme": "BeXKuz/B+us=",
    "sha1": "qZk+NkcGgWq6PiVxeFDCbJzQ2J0=",
    "sha256": "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=",
    "sha512": "3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==",
    "md5": "kAFQmDzST7DWlj99KOF/cg==",
    "xxhash64": "RLws9a13CZk=",
    "xxhash3": "eK9flIkvOVA=",
    "xxhash128": "BrBatnM6YYV4r1+UiS85UA==",
}


def checksums():
    for name, value in CHECKSUMS.items():
        header = "x-amz-checksum-" + name
        path = f"/{BUCKET}/checksum-{name}"
        status, _, response, _ = send("PUT", path, {header: value}, b"abc")
        check(f"{name} is taken", status == 200 and response.getheader(header) == value)
        status, _, response, _ = send("GET", path, {"x-amz-checksum-mode": "ENABLED"})
        check(f"{name} is shown", response.getheader(header) == value)
        answered(f"wrong {name}", 400, "BadDigest", "PUT", path, {header: value}, b"abd")
        answered(f"malformed {name}", 400, "InvalidRequest", "PUT", path, {header: "AAA"}, b"abc")
    framed = b"3\r\nabc\r\n0\r\nx-amz-checksum-xxhash128:BrBatnM6YYV4r1+UiS85UA==\r\n\r\n"
    for body, expected in ((framed, (200, "")), (framed.replace(b"abc", b"abd"), (400, "BadDigest"))):
        headers = {
            "x-amz-trailer": "x-amz-checksum-xxhash128",
            "x-amz-decoded-content-length": "3",
            "content-encoding": "aws-chunked",
        }
        request = AWSRequest("PUT", f"{ENDPOINT}/{BUCKET}/trailer", headers, body)
        auth = S3SigV4Auth(KEYS, "s3", "us-east-1")
        auth.payload = lambda request: "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
        auth.add_auth(request)
        got = send("PUT", f"/{BUCKET}/trailer", None, body, signed=False, changed=dict(request.headers.items()))
        check(f"a trailer is {expected}, was {got[:2]}", got[:2] == expected)


# ---- refusals ----


def refusals():
    path = f"/{BUCKET}/refused"
    answered("a short Content-MD5", 400, "InvalidDigest", "PUT", path, {"Content-MD5": "YWJj"}, b"x")
    answered("an empty Content-MD5", 400, "InvalidDigest", "PUT", path, {"Content-MD5": ""}, b"x")
    answered("a wrong Content-MD5", 400, "BadDigest", "PUT", path, {"Content-MD5": "kAFQmDzST7DWlj99KOF/cg=="}, b"x")
    answered("no length", 411, "MissingContentLength", "PUT", path, changed={"Content-Length": None})
    for value, status, code in (
        (None, 403, "AccessDenied"),
        ("", 403, "AccessDenied"),
        ("FOO", 400, "InvalidArgument"),
        ("AWS HAHAHA", 400, "InvalidArgument"),
        ("AWS4-HMAC-SHA256 Credential=HAHAHA", 400, "AuthorizationHeaderMalformed"),
    ):
        answered(f"Authorization {value}", status, code, "PUT", path, body=b"x", changed={"Authorization": value})
    for value, code in (
        (None, "AccessDenied"),
        ("Bad Date", "AccessDenied"),
        ("20100101T000000Z", "RequestTimeTooSkewed"),
        ("20991231T000000Z", "RequestTimeTooSkewed"),
    ):
        answered(f"X-Amz-Date {value}", 403, code, "PUT", path, body=b"x", changed={"X-Amz-Date": value})
    answered(
        "another body than signed", 400, "XAmzContentSHA256Mismatch", "PUT", path, body=b"x",
        changed=signed_for(path, b"y"),
    )
    for text in ("-1", "blah"):
        answered(f"max-keys={text}", 400, "InvalidArgument", "GET", f"/{BUCKET}?max-keys={text}")
    answered("encoding-type", 400, "InvalidArgument", "GET", f"/{BUCKET}?encoding-type=base64")
    answered("an unknown sub-resource", 501, "NotImplemented", "GET", f"/{BUCKET}?frobnicate")
    answered("a key that is not UTF-8", 400, "InvalidURI", "PUT", f"/{BUCKET}/%FF", body=b"x")
    answered("POST without a form", 412, "PreconditionFailed", "POST", f"/{BUCKET}", body=b"x")
    for name in ("ab", "Upper", "under_score", "a..b", "a.-b", "192.168.1.1", "xn--a", "x" * 64):
        answered(f"bucket {name}", 400, "InvalidBucketName", "PUT", "/" + name)
    check("one's own bucket again", send("PUT", f"/{BUCKET}")[0] == 200)
    refused("a wrong region", 400, "InvalidLocationConstraint", s3.create_bucket, Bucket="elsewhere",
            CreateBucketConfiguration={"LocationConstraint": "eu-north-1"})


def signed_for(path, body):
    request = AWSRequest("PUT", ENDPOINT + path, {}, body)
    S3SigV4Auth(KEYS, "s3", "us-east-1").add_auth(request)
    return dict(request.headers.items())


# ---- life-cycle rules ----


def wait(name, held):
    deadline = time.monotonic() + 20
    while not held():
        if time.monotonic() > deadline:
            raise AssertionError(name)
        time.sleep(0.2)
    print("ok", name)


def keys(bucket, **more):
    return [line["Key"] for line in s3.list_objects_v2(Bucket=bucket, **more).get("Contents", [])]


def lifecycle():
    s3.create_bucket(Bucket="lifecycle")
    refused("no rules", 404, "NoSuchLifecycleConfiguration",
            s3.get_bucket_lifecycle_configuration, Bucket="lifecycle")
    for key in ("short/a", "short/b", "long/a", "keep/a"):
        s3.put_object(Bucket="lifecycle", Key=key, Body=b"x")
    upload = s3.create_multipart_upload(Bucket="lifecycle", Key="short/upload")["UploadId"]
    rules = [
        {"ID": "short", "Status": "Enabled", "Filter": {"Prefix": "short/"}, "Expiration": {"Days": 1},
         "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 1}},
        {"ID": "long", "Status": "Enabled", "Prefix": "long/", "Expiration": {"Days": 1000}},
        {"ID": "off", "Status": "Disabled", "Prefix": "keep/", "Expiration": {"Days": 1}},
    ]
    s3.put_bucket_lifecycle_configuration(Bucket="lifecycle", LifecycleConfiguration={"Rules": rules})
    check("rules are read as they were set",
          s3.get_bucket_lifecycle_configuration(Bucket="lifecycle")["Rules"] == rules)
    expiration = s3.head_object(Bucket="lifecycle", Key="long/a")["Expiration"]
    check("objects say when they expire", re.fullmatch(r'expiry-date=".* GMT", rule-id="long"', expiration))
    wait("objects expire", lambda: keys("lifecycle") == ["keep/a", "long/a"])
    wait("uploads are aborted", lambda: not s3.list_multipart_uploads(Bucket="lifecycle").get("Uploads"))
    refused("the upload is gone", 404, "NoSuchUpload", s3.list_parts,
            Bucket="lifecycle", Key="short/upload", UploadId=upload)

    s3.create_bucket(Bucket="lifecycle-versions")
    s3.put_bucket_versioning(Bucket="lifecycle-versions", VersioningConfiguration={"Status": "Enabled"})
    for i in range(4):
        s3.put_object(Bucket="lifecycle-versions", Key="k", Body=str(i).encode())
    s3.put_object(Bucket="lifecycle-versions", Key="gone", Body=b"x")
    s3.delete_object(Bucket="lifecycle-versions", Key="gone")
    s3.put_bucket_lifecycle_configuration(
        Bucket="lifecycle-versions",
        LifecycleConfiguration={"Rules": [
            {"ID": "old", "Status": "Enabled", "Filter": {"Prefix": "k"},
             "NoncurrentVersionExpiration": {"NoncurrentDays": 1, "NewerNoncurrentVersions": 1}},
            {"ID": "gone", "Status": "Enabled", "Filter": {"Prefix": "gone"},
             "NoncurrentVersionExpiration": {"NoncurrentDays": 1},
             "Expiration": {"ExpiredObjectDeleteMarker": True}},
        ]},
    )

    def listed():
        page = s3.list_object_versions(Bucket="lifecycle-versions")
        return [v["Key"] for v in page.get("Versions", [])], page.get("DeleteMarkers", [])

    wait("old versions go, and markers behind them", lambda: listed() == (["k", "k"], []))
    check("the newest stays", s3.get_object(Bucket="lifecycle-versions", Key="k")["Body"].read() == b"3")
    for bad, code in (
        ({"ID": "x" * 256}, "InvalidArgument"),
        ({"Status": "enabled"}, "MalformedXML"),
        ({"Expiration": {"Days": 0}}, "InvalidArgument"),
        ({"Expiration": {"Date": datetime.datetime(2030, 1, 1, 1)}}, "InvalidArgument"),
    ):
        rule = {"ID": "r", "Status": "Enabled", "Prefix": "", "Expiration": {"Days": 1}, **bad}
        refused(f"rule {bad}", 400, code, s3.put_bucket_lifecycle_configuration,
                Bucket="lifecycle", LifecycleConfiguration={"Rules": [rule]})


s3.create_bucket(Bucket=BUCKET)
forms()
version2()
checksums()
refusals()
lifecycle()
print("all passed")
