import { NewSegment, Page, Segment, SegmentId, SegmentPatch } from "@parley/domain"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const changed = [...read, Problems.VersionConflict] as const

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
      .annotateMerge(describe("createSegment", "Add a segment", "Who is in it is found out each time it is asked."))
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/segments/:id", {
      params: idOf(SegmentId, "segment"),
      success: Segment,
      error: read
    }).annotateMerge(describe("getSegment", "Read a segment")),
    HttpApiEndpoint.patch("update", "/segments/:id", {
      params: idOf(SegmentId, "segment"),
      headers: IfMatch,
      payload: SegmentPatch,
      success: Segment,
      error: [...changed, Problems.NameTaken]
    }).annotateMerge(describe("updateSegment", "Change a segment")),
    HttpApiEndpoint.delete("delete", "/segments/:id", {
      params: idOf(SegmentId, "segment"),
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: [...changed, Problems.SegmentInUse]
    }).annotateMerge(describe("deleteSegment", "Delete a segment", "Not while the filters of other segments name it."))
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Segments", "Audiences with a name: filters of contacts.")) {}
