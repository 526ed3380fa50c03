import { AuditEvent, Page, Timestamp, textPatterns } from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { PageQuery } from "./shapes.ts"

const Word = Schema.String.check(
  Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" }),
  Schema.isPattern(textPatterns.printable, { message: "Expected a text without control characters" })
)

const word = (description: string) => Schema.optionalKey(Word).annotateKey({ description })

const time = (description: string) => Schema.optionalKey(Timestamp).annotateKey({ description })

/** The trail of changes. */
export class AuditApi extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/audit_events", {
      query: {
        ...PageQuery,
        actorId: word("Only changes by this user, automation token or operator."),
        targetKind: word("Only changes of this kind of resource, such as `member`."),
        targetId: word("Only changes of the resource with this id."),
        action: word("Only changes of this sort, such as `member.invited`."),
        from: time("Only changes at this time or later."),
        to: time("Only changes before this time.")
      },
      success: Page(AuditEvent),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(
      describe(
        "listAuditEvents",
        "List changes",
        "Every change made through the API or the command line, newest first; `from` counts in, `to` does not."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Audit", "Who changed what, and when.")) {}
