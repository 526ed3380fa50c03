import { Job, NewTag, Page, Tag, TagId, TagPatch, textPatterns } from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const changed = [...read, Problems.VersionConflict] as const

/** Tags: what contacts are sorted by. */
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
          description: "How the name begins, whatever its case."
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
      .annotateMerge(describe("createTag", "Add a tag", "No two tags have the same name, whatever its case."))
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/tags/:id", {
      params: idOf(TagId, "tag"),
      success: Tag,
      error: read
    }).annotateMerge(describe("getTag", "Read a tag")),
    HttpApiEndpoint.patch("update", "/tags/:id", {
      params: idOf(TagId, "tag"),
      headers: IfMatch,
      payload: TagPatch,
      success: Tag,
      error: [...changed, Problems.NameTaken]
    }).annotateMerge(describe("updateTag", "Change a tag")),
    HttpApiEndpoint.delete("delete", "/tags/:id", {
      params: idOf(TagId, "tag"),
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: changed
    }).annotateMerge(describe("deleteTag", "Delete a tag", "From that moment no contact has it.")),
    HttpApiEndpoint.post("merge", "/tags/:id/merge", {
      params: idOf(TagId, "tag"),
      payload: Schema.Struct({
        into: TagId.pipe(Schema.annotateKey({ description: "The tag that contacts have afterwards." }))
      }).annotate({ identifier: "TagToMergeInto" }),
      success: Job.pipe(HttpApiSchema.status(202)),
      error: read
    })
      .annotateMerge(
        describe(
          "mergeTags",
          "Merge a tag into another",
          "A job moves it to the other one on every contact, then deletes it."
        )
      )
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Tags", "What contacts are sorted by.")) {}
