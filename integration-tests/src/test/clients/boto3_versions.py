"""Versions, delete markers and object lock by boto3, against the endpoint in ENDPOINT.

Prints a line for each check; ends with "all passed" or raises.
"""
import datetime
import os
import time
import uuid

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

s3 = boto3.client(
    "s3",
    endpoint_url=os.environ["ENDPOINT"],
    region_name="us-east-1",
    config=Config(retries={"max_attempts": 1}, s3={"addressing_style": "path"}),
)
PART = 5 << 20


def check(name, held):
    if not held:
        raise AssertionError(name)
    print("ok", name)


def refused(what, status, code, call, **arguments):
    try:
        call(**arguments)
    except ClientError as error:
        found = (error.response["ResponseMetadata"]["HTTPStatusCode"], error.response["Error"]["Code"])
        if found != (status, code):
            raise AssertionError("%s: %s" % (what, found))
        print("ok", what)
        return error.response
    raise AssertionError(what + ": not refused")


def headers(response):
    return response["ResponseMetadata"]["HTTPHeaders"]


def bucket(state=None, **arguments):
    name = "v-" + uuid.uuid4().hex
    s3.create_bucket(Bucket=name, **arguments)
    if state:
        versioning(name, state)
    return name


def versioning(name, state):
    s3.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": state})
    check("versioning is " + state, s3.get_bucket_versioning(Bucket=name)["Status"] == state)


def put(name, key, body, **arguments):
    return s3.put_object(Bucket=name, Key=key, Body=body, **arguments)


def read(name, key, **arguments):
    return s3.get_object(Bucket=name, Key=key, **arguments)["Body"].read()


def listed(name, **arguments):
    """Key, id, whether latest, whether a delete marker; in order within its kind."""
    page = s3.list_object_versions(Bucket=name, **arguments)
    return [
        (one["Key"], one["VersionId"], one["IsLatest"], kind == "DeleteMarkers")
        for kind in ("Versions", "DeleteMarkers")
        for one in page.get(kind, [])
    ]


def never():
    name = bucket()
    check("never set", "Status" not in s3.get_bucket_versioning(Bucket=name))
    made = put(name, "k", b"1")
    check("no id without versioning", "VersionId" not in made)
    check("no id in HEAD", "x-amz-version-id" not in headers(s3.head_object(Bucket=name, Key="k")))
    check("the null version", read(name, "k", VersionId="null") == b"1")
    check("listed as null", listed(name) == [("k", "null", True, False)])
    deleted = s3.delete_object(Bucket=name, Key="k")
    check("no marker", "DeleteMarker" not in deleted and "VersionId" not in deleted)
    check("nothing is left", listed(name) == [])
    refused("no such key", 404, "NoSuchKey", s3.get_object, Bucket=name, Key="k")


def enabled():
    name = bucket()
    put(name, "k", b"0")
    versioning(name, "Enabled")
    ids = [put(name, "k", str(i).encode())["VersionId"] for i in range(1, 4)]
    check("every id is another", len(set(ids)) == 3 and "null" not in ids)
    check("current", read(name, "k") == b"3")
    check("named", [read(name, "k", VersionId=i) for i in ids] == [b"1", b"2", b"3"])
    check("null", read(name, "k", VersionId="null") == b"0")
    head = s3.head_object(Bucket=name, Key="k", VersionId=ids[0])
    check("HEAD says the id", head["VersionId"] == ids[0] and head["ContentLength"] == 1)
    check("GET says the null id", s3.get_object(Bucket=name, Key="k", VersionId="null")["VersionId"] == "null")
    check(
        "newest first",
        listed(name)
        == [("k", ids[2], True, False), ("k", ids[1], False, False), ("k", ids[0], False, False), ("k", "null", False, False)],
    )
    deleted = s3.delete_object(Bucket=name, Key="k")
    marker = deleted["VersionId"]
    check("a marker", deleted["DeleteMarker"] is True and marker not in ids)
    gone = refused("GET of what is deleted", 404, "NoSuchKey", s3.get_object, Bucket=name, Key="k")
    check("says so", headers(gone)["x-amz-delete-marker"] == "true" and headers(gone)["x-amz-version-id"] == marker)
    gone = refused("HEAD of what is deleted", 404, "404", s3.head_object, Bucket=name, Key="k")
    check("says so, too", headers(gone)["x-amz-delete-marker"] == "true")
    refusal = refused("GET of a marker", 405, "MethodNotAllowed", s3.get_object, Bucket=name, Key="k", VersionId=marker)
    check("as a marker", headers(refusal)["x-amz-delete-marker"] == "true" and headers(refusal)["allow"] == "DELETE" and "last-modified" in headers(refusal))
    refused("HEAD of a marker", 405, "405", s3.head_object, Bucket=name, Key="k", VersionId=marker)
    check("not listed", s3.list_objects_v2(Bucket=name)["KeyCount"] == 0)
    check("listed among versions", listed(name)[-1] == ("k", marker, True, True) and not any(one[2] for one in listed(name)[:-1]))
    refused("not empty", 409, "BucketNotEmpty", s3.delete_bucket, Bucket=name)
    removed = s3.delete_object(Bucket=name, Key="k", VersionId=marker)
    check("the marker goes", removed["DeleteMarker"] is True and removed["VersionId"] == marker)
    check("restored", read(name, "k") == b"3")
    removed = s3.delete_object(Bucket=name, Key="k", VersionId=ids[2])
    check("a version goes", removed["VersionId"] == ids[2] and "DeleteMarker" not in removed)
    check("the next is current", read(name, "k") == b"2")
    refused("no such version", 404, "NoSuchVersion", s3.get_object, Bucket=name, Key="k", VersionId=ids[2])
    check("gone already", s3.delete_object(Bucket=name, Key="k", VersionId=ids[2])["VersionId"] == ids[2])
    refused("no id", 400, "InvalidArgument", s3.get_object, Bucket=name, Key="k", VersionId="nonsense")
    refused("no id to delete", 400, "InvalidArgument", s3.delete_object, Bucket=name, Key="k", VersionId="nonsense")
    check("marker where nothing was", s3.delete_object(Bucket=name, Key="other")["DeleteMarker"] is True)
    purge(name)


def purge(name, **arguments):
    for page in s3.get_paginator("list_object_versions").paginate(Bucket=name, PaginationConfig={"PageSize": 2}):
        objects = [
            {"Key": one["Key"], "VersionId": one["VersionId"]}
            for one in page.get("Versions", []) + page.get("DeleteMarkers", [])
        ]
        if objects:
            answer = s3.delete_objects(Bucket=name, Delete={"Objects": objects}, **arguments)
            check("no errors", not answer.get("Errors"))
            check("all told", len(answer["Deleted"]) == len(objects))
    check("empty", listed(name) == [])
    s3.delete_bucket(Bucket=name)


def suspended():
    name = bucket("Enabled")
    kept = put(name, "k", b"kept")["VersionId"]
    versioning(name, "Suspended")
    check("no id when suspended", "VersionId" not in put(name, "k", b"1"))
    put(name, "k", b"2")
    check("one null version", listed(name) == [("k", "null", True, False), ("k", kept, False, False)])
    check("GET says null", s3.get_object(Bucket=name, Key="k")["VersionId"] == "null")
    deleted = s3.delete_object(Bucket=name, Key="k")
    check("a null marker", deleted["VersionId"] == "null" and deleted["DeleteMarker"] is True)
    check("in place of the null version", listed(name) == [("k", kept, False, False), ("k", "null", True, True)])
    put(name, "k", b"3")
    check("and back", listed(name) == [("k", "null", True, False), ("k", kept, False, False)])
    s3.delete_object(Bucket=name, Key="k", VersionId="null")
    check("the older is current", read(name, "k") == b"kept")
    versioning(name, "Enabled")
    put(name, "k", b"4")
    check("the older is kept", read(name, "k", VersionId=kept) == b"kept")
    purge(name)


def many():
    name = bucket("Enabled")
    keys = ["a", "b/1", "b/2", "c c", "\u00fc"]
    for key in keys:
        put(name, key, b"1")
        put(name, key, b"2")
        s3.delete_object(Bucket=name, Key=key)
    whole = sorted(listed(name))
    for size in (1, 2, 3, 7):
        found = []
        for page in s3.get_paginator("list_object_versions").paginate(Bucket=name, PaginationConfig={"PageSize": size}):
            found += [(one["Key"], one["VersionId"], one["IsLatest"], False) for one in page.get("Versions", [])]
            found += [(one["Key"], one["VersionId"], one["IsLatest"], True) for one in page.get("DeleteMarkers", [])]
        check("pages of %d" % size, sorted(found) == whole)
    page = s3.list_object_versions(Bucket=name, Delimiter="/")
    check("common prefixes", page["CommonPrefixes"] == [{"Prefix": "b/"}])
    check("not in a listing of objects", "CommonPrefixes" not in s3.list_objects_v2(Bucket=name, Delimiter="/"))
    check("prefix", len(listed(name, Prefix="b/")) == 6)
    check("behind a key", all(one[0] > "b/1" for one in listed(name, KeyMarker="b/1")))
    refused("half a marker", 400, "InvalidArgument", s3.list_object_versions, Bucket=name, VersionIdMarker=whole[0][1])
    check("none", listed(name, MaxKeys=0) == [])
    answer = s3.delete_objects(Bucket=name, Delete={"Objects": [{"Key": "a"}, {"Key": "new"}]})
    check("markers made", all(one["DeleteMarker"] and one["DeleteMarkerVersionId"] for one in answer["Deleted"]))
    answer = s3.delete_objects(Bucket=name, Delete={"Objects": [{"Key": "a", "VersionId": "nonsense"}]})
    check("a key's error", answer["Errors"][0]["Code"] == "InvalidArgument" or answer["Errors"][0]["Code"] == "NoSuchVersion")
    purge(name)


def copies():
    name = bucket("Enabled")
    plain = bucket()
    first = put(name, "k", b"first", Metadata={"a": "1"})["VersionId"]
    second = put(name, "k", b"second")["VersionId"]
    copied = s3.copy_object(Bucket=name, Key="to", CopySource={"Bucket": name, "Key": "k", "VersionId": first})
    check("of a version", copied["CopySourceVersionId"] == first and copied["VersionId"])
    check("its bytes", read(name, "to") == b"first")
    copied = s3.copy_object(Bucket=plain, Key="to", CopySource={"Bucket": name, "Key": "k"})
    check("of what is current", copied["CopySourceVersionId"] == second and "VersionId" not in copied)
    restored = s3.copy_object(Bucket=name, Key="k", CopySource={"Bucket": name, "Key": "k", "VersionId": first})
    check("restored by copy", read(name, "k") == b"first" and restored["VersionId"] not in (first, second))
    marker = s3.delete_object(Bucket=name, Key="k")["VersionId"]
    refused("of a marker", 400, "InvalidRequest", s3.copy_object, Bucket=name, Key="x", CopySource={"Bucket": name, "Key": "k", "VersionId": marker})
    refused("of what is deleted", 404, "NoSuchKey", s3.copy_object, Bucket=name, Key="x", CopySource={"Bucket": name, "Key": "k"})
    upload = s3.create_multipart_upload(Bucket=name, Key="m")["UploadId"]
    part = s3.upload_part_copy(Bucket=name, Key="m", UploadId=upload, PartNumber=1, CopySource={"Bucket": name, "Key": "k", "VersionId": second})
    check("part of a version", part["CopySourceVersionId"] == second)
    done = s3.complete_multipart_upload(
        Bucket=name, Key="m", UploadId=upload, MultipartUpload={"Parts": [{"PartNumber": 1, "ETag": part["CopyPartResult"]["ETag"]}]}
    )
    check("a completed version", s3.head_object(Bucket=name, Key="m")["VersionId"] == done["VersionId"])
    check("its bytes", read(name, "m") == b"second")
    purge(name)


def attributes():
    name = bucket("Enabled")
    first = put(name, "k", b"1", Tagging="a=1")["VersionId"]
    second = put(name, "k", b"22")["VersionId"]
    check("tags of a version", s3.get_object_tagging(Bucket=name, Key="k", VersionId=first)["TagSet"] == [{"Key": "a", "Value": "1"}])
    answer = s3.put_object_tagging(Bucket=name, Key="k", VersionId=first, Tagging={"TagSet": [{"Key": "b", "Value": "2"}]})
    check("says which", answer["VersionId"] == first)
    answer = s3.get_object_tagging(Bucket=name, Key="k")
    check("not of the other", answer["TagSet"] == [] and answer["VersionId"] == second)
    s3.delete_object_tagging(Bucket=name, Key="k", VersionId=first)
    check("gone", s3.get_object_tagging(Bucket=name, Key="k", VersionId=first)["TagSet"] == [])
    answer = s3.get_object_attributes(Bucket=name, Key="k", VersionId=first, ObjectAttributes=["ObjectSize"])
    check("attributes", answer["ObjectSize"] == 1 and answer["VersionId"] == first)
    check("ACL", s3.get_object_acl(Bucket=name, Key="k", VersionId=first)["Grants"])
    marker = s3.delete_object(Bucket=name, Key="k")["VersionId"]
    refused("tags of a marker", 405, "MethodNotAllowed", s3.get_object_tagging, Bucket=name, Key="k", VersionId=marker)
    refused("tags of what is deleted", 404, "NoSuchKey", s3.put_object_tagging, Bucket=name, Key="k", Tagging={"TagSet": []})
    purge(name)


def conditions():
    name = bucket("Enabled")
    etag = put(name, "k", b"1", IfNoneMatch="*")["ETag"]
    refused("there is one", 412, "PreconditionFailed", put, name=name, key="k", body=b"2", IfNoneMatch="*")
    put(name, "k", b"2", IfMatch=etag)
    refused("another one", 412, "PreconditionFailed", put, name=name, key="k", body=b"3", IfMatch=etag)
    refused("delete of another one", 412, "PreconditionFailed", s3.delete_object, Bucket=name, Key="k", IfMatch=etag)
    answer = s3.delete_objects(Bucket=name, Delete={"Objects": [{"Key": "k", "ETag": etag}, {"Key": "k", "Size": 7}]})
    check("of several", [one["Code"] for one in answer["Errors"]] == ["PreconditionFailed"] * 2)
    head = s3.head_object(Bucket=name, Key="k")
    s3.delete_object(Bucket=name, Key="k", IfMatch=head["ETag"], IfMatchSize=1, IfMatchLastModifiedTime=head["LastModified"])
    refused("a marker is no object", 404, "NoSuchKey", s3.delete_object, Bucket=name, Key="k", IfMatch="*")
    put(name, "k", b"4", IfNoneMatch="*")
    purge(name)


def later(seconds):
    return datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0) + datetime.timedelta(seconds=seconds)


def locks():
    name = bucket(ObjectLockEnabledForBucket=True)
    check("implies versions", s3.get_bucket_versioning(Bucket=name)["Status"] == "Enabled")
    check("enabled", s3.get_object_lock_configuration(Bucket=name)["ObjectLockConfiguration"] == {"ObjectLockEnabled": "Enabled"})
    refused("not to be suspended", 409, "InvalidBucketState", s3.put_bucket_versioning, Bucket=name, VersioningConfiguration={"Status": "Suspended"})

    def configure(**retention):
        s3.put_object_lock_configuration(
            Bucket=name, ObjectLockConfiguration={"ObjectLockEnabled": "Enabled", "Rule": {"DefaultRetention": retention}}
        )

    refused("both", 400, "MalformedXML", configure, Mode="GOVERNANCE", Days=1, Years=1)
    refused("none", 400, "MalformedXML", configure, Mode="GOVERNANCE")
    refused("no days", 400, "InvalidRetentionPeriod", configure, Mode="GOVERNANCE", Days=0)
    refused("less than no years", 400, "InvalidRetentionPeriod", configure, Mode="GOVERNANCE", Years=-1)
    refused("no mode", 400, "MalformedXML", configure, Mode="governance", Days=1)
    version = put(name, "k", b"1")["VersionId"]
    refused("no retention", 404, "NoSuchObjectLockConfiguration", s3.get_object_retention, Bucket=name, Key="k")
    refused("no hold", 404, "NoSuchObjectLockConfiguration", s3.get_object_legal_hold, Bucket=name, Key="k")

    def retain(mode, until, **arguments):
        s3.put_object_retention(Bucket=name, Key="k", Retention={"Mode": mode, "RetainUntilDate": until}, **arguments)

    refused("the past", 400, "InvalidArgument", retain, mode="GOVERNANCE", until=later(-5))
    refused("no mode", 400, "MalformedXML", retain, mode="abc", until=later(50))
    until = later(60)
    retain("GOVERNANCE", until, VersionId=version)
    answer = s3.get_object_retention(Bucket=name, Key="k", VersionId=version)["Retention"]
    check("as it was set", answer == {"Mode": "GOVERNANCE", "RetainUntilDate": until})
    head = s3.head_object(Bucket=name, Key="k")
    check("in HEAD", head["ObjectLockMode"] == "GOVERNANCE" and head["ObjectLockRetainUntilDate"] == until)
    retain("GOVERNANCE", later(90))
    refused("not shorter", 403, "AccessDenied", retain, mode="GOVERNANCE", until=later(30))
    refused("no other mode", 403, "AccessDenied", retain, mode="COMPLIANCE", until=later(120))
    retain("GOVERNANCE", later(30), BypassGovernanceRetention=True)
    refused("not removed", 403, "AccessDenied", s3.delete_object, Bucket=name, Key="k", VersionId=version)
    answer = s3.delete_objects(Bucket=name, Delete={"Objects": [{"Key": "k", "VersionId": version}]})
    check("nor among several", answer["Errors"][0]["Code"] == "AccessDenied")
    marker = s3.delete_object(Bucket=name, Key="k")
    check("a marker all the same", marker["DeleteMarker"] is True)
    s3.delete_object(Bucket=name, Key="k", VersionId=marker["VersionId"])
    s3.delete_object(Bucket=name, Key="k", VersionId=version, BypassGovernanceRetention=True)

    version = put(name, "k", b"2", ObjectLockLegalHoldStatus="ON")["VersionId"]
    check("held", s3.get_object_legal_hold(Bucket=name, Key="k")["LegalHold"] == {"Status": "ON"})
    refused("not even so", 403, "AccessDenied", s3.delete_object, Bucket=name, Key="k", VersionId=version, BypassGovernanceRetention=True)
    refused("no such status", 400, "MalformedXML", s3.put_object_legal_hold, Bucket=name, Key="k", LegalHold={"Status": "abc"})
    s3.put_object_legal_hold(Bucket=name, Key="k", VersionId=version, LegalHold={"Status": "OFF"})
    check("held no more", s3.get_object_legal_hold(Bucket=name, Key="k")["LegalHold"] == {"Status": "OFF"})
    s3.delete_object(Bucket=name, Key="k", VersionId=version)

    until = later(3)
    version = put(name, "k", b"3", ObjectLockMode="COMPLIANCE", ObjectLockRetainUntilDate=until)["VersionId"]
    check("of a PUT", s3.get_object_retention(Bucket=name, Key="k")["Retention"] == {"Mode": "COMPLIANCE", "RetainUntilDate": until})
    refused("nobody may", 403, "AccessDenied", s3.delete_object, Bucket=name, Key="k", VersionId=version, BypassGovernanceRetention=True)
    refused("nor shorten", 403, "AccessDenied", retain, mode="COMPLIANCE", until=later(1), BypassGovernanceRetention=True)
    refused("half of it", 400, "InvalidArgument", put, name=name, key="k", body=b"", ObjectLockMode="COMPLIANCE")

    configure(Mode="GOVERNANCE", Days=2)
    rule = s3.get_object_lock_configuration(Bucket=name)["ObjectLockConfiguration"]["Rule"]
    check("the rule", rule == {"DefaultRetention": {"Mode": "GOVERNANCE", "Days": 2}})
    put(name, "d", b"")
    retention = s3.get_object_retention(Bucket=name, Key="d")["Retention"]
    check("by default", retention["Mode"] == "GOVERNANCE" and later(47 * 3600) < retention["RetainUntilDate"] < later(49 * 3600))
    upload = s3.create_multipart_upload(Bucket=name, Key="m", ObjectLockMode="GOVERNANCE", ObjectLockRetainUntilDate=later(600))["UploadId"]
    part = s3.upload_part(Bucket=name, Key="m", UploadId=upload, PartNumber=1, Body=b"m")
    s3.complete_multipart_upload(Bucket=name, Key="m", UploadId=upload, MultipartUpload={"Parts": [{"PartNumber": 1, "ETag": part["ETag"]}]})
    check("of an upload", s3.get_object_retention(Bucket=name, Key="m")["Retention"]["RetainUntilDate"] < later(601))
    s3.copy_object(Bucket=name, Key="c", CopySource={"Bucket": name, "Key": "m"}, ObjectLockLegalHoldStatus="OFF")
    check("of a copy its own", s3.get_object_retention(Bucket=name, Key="c")["Retention"]["RetainUntilDate"] > later(3600))

    plain = bucket()
    refused("no locks", 404, "ObjectLockConfigurationNotFoundError", s3.get_object_lock_configuration, Bucket=plain)
    refused("no versions", 409, "InvalidBucketState", s3.put_object_lock_configuration, Bucket=plain, ObjectLockConfiguration={"ObjectLockEnabled": "Enabled"})
    put(plain, "k", b"")
    refused("no retention without", 400, "InvalidRequest", s3.put_object_retention, Bucket=plain, Key="k", Retention={"Mode": "GOVERNANCE", "RetainUntilDate": later(60)})
    refused("none to get", 400, "InvalidRequest", s3.get_object_retention, Bucket=plain, Key="k")
    refused("no hold without", 400, "InvalidRequest", s3.put_object_legal_hold, Bucket=plain, Key="k", LegalHold={"Status": "ON"})
    refused("none to get", 400, "InvalidRequest", s3.get_object_legal_hold, Bucket=plain, Key="k")
    refused("no PUT with it", 400, "InvalidRequest", put, name=plain, key="k", body=b"", ObjectLockLegalHoldStatus="ON")
    versioning(plain, "Enabled")
    s3.put_object_lock_configuration(Bucket=plain, ObjectLockConfiguration={"ObjectLockEnabled": "Enabled"})
    check("switched on later", s3.get_object_lock_configuration(Bucket=plain)["ObjectLockConfiguration"]["ObjectLockEnabled"] == "Enabled")

    while later(0) <= until:
        time.sleep(0.2)
    s3.delete_object(Bucket=name, Key="k", VersionId=version)
    check("its time is over", all(one[0] != "k" for one in listed(name)))
    purge(name, BypassGovernanceRetention=True)


for area in (never, enabled, suspended, many, copies, attributes, conditions, locks):
    print("--", area.__name__)
    area()
print("all passed")
