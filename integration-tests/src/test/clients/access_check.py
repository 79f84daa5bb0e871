"""Accounts, policies, access lists, identities and tokens with boto3, against ENDPOINT and ADMIN.

Prints a line for each check; ends with "all passed" or raises.
"""
import json
import os
import sys
import urllib.error
import urllib.request

import boto3
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import ClientError

ENDPOINT = os.environ["ENDPOINT"]
ADMIN = os.environ["ADMIN"]
TOKEN = os.environ["ADMIN_TOKEN"]
BUCKET = "access"


def client(service, key, secret, token=None, **config):
    config.setdefault("signature_version", "s3v4" if service == "s3" else "v4")
    return boto3.client(
        service,
        endpoint_url=ENDPOINT,
        region_name="us-east-1",
        aws_access_key_id=key,
        aws_secret_access_key=secret,
        aws_session_token=token,
        config=Config(retries={"max_attempts": 1}, s3={"addressing_style": "path"}, **config),
    )


def anonymous():
    return client("s3", "none", "none", signature_version=UNSIGNED)


def check(name, held):
    if not held:
        raise AssertionError(name)
    print("ok", name)


def refused(name, status, code, call):
    try:
        call()
    except ClientError as error:
        got = error.response["ResponseMetadata"]["HTTPStatusCode"], error.response["Error"]["Code"]
        check(f"{name}: {got}", got == (status, code))
        return
    raise AssertionError(name + ": not refused")


def admin(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(ADMIN + path, data=data, method=method)
    request.add_header("Authorization", "Bearer " + TOKEN)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def accounts():
    made = admin("POST", "/v1/accounts", {"displayName": "other", "email": "other@example.com"})
    check("canonical id", len(made["canonicalId"]) == 64)
    key = made["accessKeys"][0]
    found = admin("GET", "/v1/accounts/" + made["id"])
    check("secret told once", "secretKey" not in found["accessKeys"][0])
    try:
        admin("POST", "/v1/accounts", {"displayName": "x", "accessKey": key["accessKey"]})
        raise AssertionError("key taken twice")
    except urllib.error.HTTPError as error:
        check("key is taken", error.code == 409)
    return made, client("s3", key["accessKey"], key["secretKey"]), key


def policies(s3, other, account):
    s3.put_object(Bucket=BUCKET, Key="k", Body=b"x")
    refused("other account", 403, "AccessDenied", lambda: other.get_object(Bucket=BUCKET, Key="k"))
    policy = json.dumps({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"AWS": account["id"]},
        "Action": ["s3:GetObject", "s3:PutObject"], "Resource": f"arn:aws:s3:::{BUCKET}/*"}]})
    s3.put_bucket_policy(Bucket=BUCKET, Policy=policy)
    check("policy", s3.get_bucket_policy(Bucket=BUCKET)["Policy"] == policy)
    check("not public", not s3.get_bucket_policy_status(Bucket=BUCKET)["PolicyStatus"]["IsPublic"])
    check("allowed", other.get_object(Bucket=BUCKET, Key="k")["Body"].read() == b"x")
    other.put_object(Bucket=BUCKET, Key="theirs", Body=b"y")
    refused("object of others", 403, "AccessDenied",
            lambda: s3.get_object(Bucket=BUCKET, Key="theirs"))
    refused("anonymous", 403, "AccessDenied",
            lambda: anonymous().get_object(Bucket=BUCKET, Key="k"))
    refused("policy of others", 403, "AccessDenied",
            lambda: other.put_bucket_policy(Bucket=BUCKET, Policy=policy))
    refused("malformed", 400, "MalformedPolicy",
            lambda: s3.put_bucket_policy(Bucket=BUCKET, Policy="{}"))
    s3.delete_bucket_policy(Bucket=BUCKET)
    refused("no policy", 404, "NoSuchBucketPolicy", lambda: s3.get_bucket_policy(Bucket=BUCKET))


def lists(s3, other, account):
    s3.put_object_acl(Bucket=BUCKET, Key="k", ACL="public-read")
    check("public", anonymous().get_object(Bucket=BUCKET, Key="k")["Body"].read() == b"x")
    acl = s3.get_object_acl(Bucket=BUCKET, Key="k")
    check("grants", [g["Permission"] for g in acl["Grants"]] == ["FULL_CONTROL", "READ"])
    s3.put_bucket_acl(Bucket=BUCKET, GrantWrite=f'id={account["canonicalId"]}',
                      GrantFullControl=f'id={acl["Owner"]["ID"]}')
    other.put_object(Bucket=BUCKET, Key="listed", Body=b"z", ACL="bucket-owner-full-control")
    check("given", s3.get_object(Bucket=BUCKET, Key="listed")["Body"].read() == b"z")
    block = {"BlockPublicAcls": True, "IgnorePublicAcls": True,
             "BlockPublicPolicy": True, "RestrictPublicBuckets": True}
    s3.put_public_access_block(Bucket=BUCKET, PublicAccessBlockConfiguration=block)
    refused("ignored", 403, "AccessDenied", lambda: anonymous().get_object(Bucket=BUCKET, Key="k"))
    refused("blocked", 403, "AccessDenied",
            lambda: s3.put_object_acl(Bucket=BUCKET, Key="k", ACL="public-read"))
    s3.delete_public_access_block(Bucket=BUCKET)


def identities(iam, s3, account):
    arn = iam.create_user(UserName="ann")["User"]["Arn"]
    check("user", arn.endswith(":user/ann"))
    refused("twice", 409, "EntityAlreadyExists", lambda: iam.create_user(UserName="Ann"))
    key = iam.create_access_key(UserName="ann")["AccessKey"]
    ann = client("s3", key["AccessKeyId"], key["SecretAccessKey"])
    refused("without policy", 403, "AccessDenied", lambda: ann.list_buckets())
    allow = {"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Action": "s3:Get*", "Resource": f"arn:aws:s3:::{BUCKET}/*"}]}
    iam.put_user_policy(UserName="ann", PolicyName="p", PolicyDocument=json.dumps(allow))
    check("document", iam.get_user_policy(UserName="ann", PolicyName="p")["PolicyDocument"] == allow)
    check("names", iam.list_user_policies(UserName="ann")["PolicyNames"] == ["p"])
    check("user reads", ann.get_object(Bucket=BUCKET, Key="k")["Body"].read() == b"x")
    refused("user writes", 403, "AccessDenied",
            lambda: ann.put_object(Bucket=BUCKET, Key="k", Body=b""))
    refused("missing key without list", 403, "AccessDenied",
            lambda: ann.get_object(Bucket=BUCKET, Key="none"))
    iam.create_group(GroupName="staff")
    iam.add_user_to_group(GroupName="staff", UserName="ann")
    allow["Statement"][0].update(Action="s3:ListAllMyBuckets", Resource="*")
    iam.put_group_policy(GroupName="staff", PolicyName="g", PolicyDocument=json.dumps(allow))
    check("group", [u["UserName"] for u in iam.get_group(GroupName="staff")["Users"]] == ["ann"])
    check("by group", BUCKET in [b["Name"] for b in ann.list_buckets()["Buckets"]])
    refused("user manages", 403, "AccessDenied", lambda: client(
        "iam", key["AccessKeyId"], key["SecretAccessKey"]).list_users())
    refused("user in use", 409, "DeleteConflict", lambda: iam.delete_user(UserName="ann"))
    iam.update_access_key(UserName="ann", AccessKeyId=key["AccessKeyId"], Status="Inactive")
    refused("inactive", 403, "InvalidAccessKeyId", lambda: ann.list_buckets())
    iam.update_access_key(UserName="ann", AccessKeyId=key["AccessKeyId"], Status="Active")
    return key


def tokens(iam, sts, s3, key):
    who = sts.get_caller_identity()
    check("root", who["Arn"] == f'arn:aws:iam::{who["Account"]}:root')
    ann = client("sts", key["AccessKeyId"], key["SecretAccessKey"])
    check("ann", ann.get_caller_identity()["Arn"].endswith(":user/ann"))
    made = ann.get_session_token(DurationSeconds=900)["Credentials"]
    session = made["AccessKeyId"], made["SecretAccessKey"], made["SessionToken"]
    check("session", client("s3", *session).get_object(Bucket=BUCKET, Key="k")["Body"].read() == b"x")
    url = client("s3", *session).generate_presigned_url("get_object", {"Bucket": BUCKET, "Key": "k"})
    check("presigned", urllib.request.urlopen(url).read() == b"x")
    refused("no token", 403, "InvalidAccessKeyId",
            lambda: client("s3", *session[:2]).get_object(Bucket=BUCKET, Key="k"))
    refused("bad token", 400, "InvalidToken",
            lambda: client("s3", *session[:2], "x").get_object(Bucket=BUCKET, Key="k"))
    trust = {"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"AWS": f'arn:aws:iam::{who["Account"]}:user/ann'},
        "Action": "sts:AssumeRole"}]}
    role = iam.create_role(RoleName="reader", AssumeRolePolicyDocument=json.dumps(trust))["Role"]
    iam.attach_role_policy(RoleName="reader", PolicyArn="arn:aws:iam::aws:policy/AmazonS3FullAccess")
    narrow = {"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{BUCKET}/*"}]}
    made = ann.assume_role(RoleArn=role["Arn"], RoleSessionName="s1",
                           Policy=json.dumps(narrow))["Credentials"]
    session = made["AccessKeyId"], made["SecretAccessKey"], made["SessionToken"]
    one = client("s3", *session)
    check("role reads", one.get_object(Bucket=BUCKET, Key="k")["Body"].read() == b"x")
    refused("narrowed", 403, "AccessDenied", lambda: one.put_object(Bucket=BUCKET, Key="k", Body=b""))
    arn = client("sts", *session).get_caller_identity()["Arn"]
    check("assumed", arn.endswith(":assumed-role/reader/s1"))
    refused("no such role", 403, "AccessDenied", lambda: ann.assume_role(
        RoleArn=role["Arn"] + "x", RoleSessionName="s1"))


def clean(iam, key):
    iam.detach_role_policy(RoleName="reader", PolicyArn="arn:aws:iam::aws:policy/AmazonS3FullAccess")
    iam.delete_role(RoleName="reader")
    iam.remove_user_from_group(GroupName="staff", UserName="ann")
    iam.delete_user_policy(UserName="ann", PolicyName="p")
    iam.delete_access_key(UserName="ann", AccessKeyId=key["AccessKeyId"])
    iam.delete_user(UserName="ann")
    iam.delete_group_policy(GroupName="staff", PolicyName="g")
    iam.delete_group(GroupName="staff")
    check("nobody left", iam.list_users()["Users"] == [] and iam.list_groups()["Groups"] == [])
    refused("gone", 404, "NoSuchEntity", lambda: iam.get_user(UserName="ann"))


def main():
    root = os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]
    s3, iam, sts = (client(service, *root) for service in ("s3", "iam", "sts"))
    s3.create_bucket(Bucket=BUCKET)
    account, other, _ = accounts()
    policies(s3, other, account)
    lists(s3, other, account)
    key = identities(iam, s3, account)
    tokens(iam, sts, s3, key)
    clean(iam, key)
    refused("wrong secret", 403, "SignatureDoesNotMatch",
            lambda: client("iam", root[0], "wrong").list_users())
    refused("unknown key", 403, "InvalidClientTokenId",
            lambda: client("iam", "AKIANOBODY", "wrong").list_users())
    print("all passed")


if __name__ == "__main__":
    sys.exit(main())
