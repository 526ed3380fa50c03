import { CannedReply, CannedReplyId, CannedReplyPatch, NewCannedReply, Page, textPatterns } from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

const cannedReply = idOf(CannedReplyId, "canned reply")

const changed = [Problems.PermissionDenied, Problems.NotFound, Problems.VersionConflict] as const

/** Canned replies: answers that the team gives often. */
export class CannedRepliesApi extends HttpApiGroup.make("cannedReplies")
  .add(
    HttpApiEndpoint.get("list", "/canned_replies", {
      query: {
        ...PageQuery,
        q: Schema.optionalKey(
          Schema.String.check(
            Schema.isMaxCodePoints(40, { message: "Expected at most 40 characters" }),
            Schema.isPattern(textPatterns.printable, { message: "Expected a text without control characters" })
          )
        ).annotateKey({ description: "How the shortcut begins, whatever its case." })
      },
      success: Page(CannedReply),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(describe("listCannedReplies", "List canned replies", "By shortcut.")),
    HttpApiEndpoint.post("create", "/canned_replies", {
      payload: NewCannedReply,
      success: CannedReply.pipe(HttpApiSchema.status(201)),
      error: [Problems.PermissionDenied, Problems.NameTaken]
    })
      .annotateMerge(describe("createCannedReply", "Add a canned reply", "No two have the same shortcut."))
      .middleware(Idempotent),
    HttpApiEndpoint.patch("update", "/canned_replies/:id", {
      params: cannedReply,
      headers: IfMatch,
      payload: CannedReplyPatch,
      success: CannedReply,
      error: [...changed, Problems.NameTaken]
    }).annotateMerge(describe("updateCannedReply", "Change a canned reply")),
    HttpApiEndpoint.delete("delete", "/canned_replies/:id", {
      params: cannedReply,
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: changed
    }).annotateMerge(describe("deleteCannedReply", "Delete a canned reply"))
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Canned replies", "Answers that the team gives often, by a shortcut.")) {}
