import { AuditEvent, Page, Timestamp } from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { PageQuery } from "./shapes.ts"

const Word = Schema.String.check(Schema.isMaxLength(100))

/** The trail of changes. */
export class AuditApi extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/audit_events", {
      query: {
        ...PageQuery,
        actorId: Schema.optionalKey(Word),
        targetKind: Schema.optionalKey(Word),
        targetId: Schema.optionalKey(Word),
        action: Schema.optionalKey(Word),
        from: Schema.optionalKey(Timestamp),
        to: Schema.optionalKey(Timestamp)
      },
      success: Page(AuditEvent),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(
      describe(
        "List changes",
        "Every change made through the API or the command line, newest first; `from` counts in, `to` does not."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Audit", "Who changed what, and when.")) {}
