import { Page, textPatterns } from "@parley/domain/kernel"
import { Job } from "@parley/domain/platform"
import { NewSegment, NewTag, Segment, SegmentId, SegmentPatch, Tag, TagId, TagPatch } from "@parley/domain/crm"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const changed = [...read, Problems.VersionConflict] as const

/** Tags: labels that group contacts. */
export class TagsApi extends HttpApiGroup.make("tags")
  .add(
    HttpApiEndpoint.get("list", "/tags", {
      query: {
        ...PageQuery,
        q: Schema.optionalKey(
          Schema.String.check(
            Schema.isMaxCodePoints(80, { message: "Expected at most 80 characters" }),
            Schema.isPattern(textPatterns.printable, { message: "Expected a text without control characters" })
          )
        ).annotateKey({
          description: "Prefix of the name, ignoring case."
        })
      },
      success: Page(Tag),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(describe("listTags", "List tags", "By name.")),
    HttpApiEndpoint.post("create", "/tags", {
      payload: NewTag,
      success: Tag.pipe(HttpApiSchema.status(201)),
      error: [Problems.PermissionDenied, Problems.NameTaken]
    })
      .annotateMerge(describe("createTag", "Create a tag", "Names are unique, ignoring case."))
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/tags/:id", {
      params: idOf(TagId, "tag"),
      success: Tag,
      error: read
    }).annotateMerge(describe("getTag", "Get a tag")),
    HttpApiEndpoint.patch("update", "/tags/:id", {
      params: idOf(TagId, "tag"),
      headers: IfMatch,
      payload: TagPatch,
      success: Tag,
      error: [...changed, Problems.NameTaken]
    }).annotateMerge(describe("updateTag", "Update a tag")),
    HttpApiEndpoint.delete("delete", "/tags/:id", {
      params: idOf(TagId, "tag"),
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: changed
    }).annotateMerge(describe("deleteTag", "Delete a tag", "All contacts lose the tag immediately.")),
    HttpApiEndpoint.post("merge", "/tags/:id/merge", {
      params: idOf(TagId, "tag"),
      payload: Schema.Struct({
        into: TagId.pipe(Schema.annotateKey({ description: "Tag that replaces the merged tag." }))
      }).annotate({ identifier: "TagToMergeInto" }),
      success: Job.pipe(HttpApiSchema.status(202)),
      error: read
    })
      .annotateMerge(
        describe("mergeTags", "Merge a tag into another", "A job replaces the tag on every contact, then deletes it.")
      )
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Tags", "Labels of contacts.")) {}

/** Segments: filters of contacts with a name. */
export class SegmentsApi extends HttpApiGroup.make("segments")
  .add(
    HttpApiEndpoint.get("list", "/segments", {
      query: PageQuery,
      success: Page(Segment),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(describe("listSegments", "List segments", "By name.")),
    HttpApiEndpoint.post("create", "/segments", {
      payload: NewSegment,
      success: Segment.pipe(HttpApiSchema.status(201)),
      error: [...read, Problems.NameTaken]
    })
      .annotateMerge(describe("createSegment", "Create a segment", "Its contacts are determined on each request."))
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/segments/:id", {
      params: idOf(SegmentId, "segment"),
      success: Segment,
      error: read
    }).annotateMerge(describe("getSegment", "Get a segment")),
    HttpApiEndpoint.patch("update", "/segments/:id", {
      params: idOf(SegmentId, "segment"),
      headers: IfMatch,
      payload: SegmentPatch,
      success: Segment,
      error: [...changed, Problems.NameTaken]
    }).annotateMerge(describe("updateSegment", "Update a segment")),
    HttpApiEndpoint.delete("delete", "/segments/:id", {
      params: idOf(SegmentId, "segment"),
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: [...changed, Problems.SegmentInUse]
    }).annotateMerge(
      describe("deleteSegment", "Delete a segment", "Not possible while filters of other segments use it.")
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Segments", "Named audiences: filters of contacts.")) {}
