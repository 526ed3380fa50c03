import { Entitlements, Organization, Timestamp, User } from "@parley/domain"
import { Effect, Redacted, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, Public, RequestFaults, WithDocsSession } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { Secret } from "./shapes.ts"

/** Accepts any text, because a malformed code gets the same answer as a wrong one. */
const DocsCode = Secret.pipe(Schema.catchDecoding(() => Effect.succeedSome(Redacted.make(""))))

/** Takes a signed-in user to the documentation site. */
export class DocsApi extends HttpApiGroup.make("docs")
  .add(
    HttpApiEndpoint.post("handoff", "/docs/handoff", {
      success: Schema.Struct({ code: Secret, url: Schema.String, expiresAt: Timestamp }).annotate({
        identifier: "DocsHandoff"
      }),
      error: [Problems.PermissionDenied]
    })
      .annotateMerge(
        describe(
          "handOffToDocs",
          "Make a one-time code for the documentation",
          "The code is good for one exchange within 60 seconds."
        )
      )
      .middleware(Idempotent)
      .middleware(RequestFaults)
      .middleware(InOrganization),
    HttpApiEndpoint.post("exchange", "/docs/exchange", {
      payload: Schema.Struct({ code: DocsCode }),
      success: Schema.Struct({
        sessionToken: Secret,
        expiresAt: Timestamp,
        user: User,
        organization: Organization
      }).annotate({ identifier: "DocsSessionStart" }),
      error: [Problems.DocsCodeInvalid]
    })
      .annotateMerge(
        describe(
          "exchangeDocsCode",
          "Exchange a one-time code",
          "Answers with a docs session of 10 minutes. A code is exchanged once. Code and docs session end with the session that asked for the code."
        )
      )
      .middleware(Idempotent)
      .middleware(RequestFaults)
      .middleware(Public),
    HttpApiEndpoint.get("session", "/docs/session", {
      success: Schema.Struct({ user: User, organization: Organization, entitlements: Entitlements }).annotate({
        identifier: "DocsSession"
      })
    })
      .annotateMerge(
        describe("getDocsSession", "Read the docs session", "Who reads, for which organization, and what its plan has.")
      )
      .middleware(RequestFaults)
      .middleware(WithDocsSession)
  )
  .prefix("/api/v1")
  .annotateMerge(area("Documentation", "The hand-off of a signed-in user to the documentation site.")) {}
