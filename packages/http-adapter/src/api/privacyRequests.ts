import { Page, PrivacyExport, PrivacyRequest, PrivacyRequestId, PrivacyState } from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, PageQuery } from "./shapes.ts"

const params = idOf(PrivacyRequestId, "privacy request")

const read = [Problems.PermissionDenied, Problems.NotFound] as const

/** Privacy requests: what shops ask about personal data in the name of their customers. */
export class PrivacyRequestsApi extends HttpApiGroup.make("privacyRequests")
  .add(
    HttpApiEndpoint.get("list", "/privacy_requests", {
      query: {
        ...PageQuery,
        state: Schema.optionalKey(PrivacyState).annotateKey({ description: "Only requests in this state." })
      },
      success: Page(PrivacyRequest),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(describe("listPrivacyRequests", "List privacy requests", "Newest first.")),
    HttpApiEndpoint.get("get", "/privacy_requests/:id", {
      params,
      success: PrivacyRequest,
      error: read
    }).annotateMerge(
      describe(
        "getPrivacyRequest",
        "Read a privacy request",
        "A `data_request` is `ready` once its export can be handed over. `redact_customer` and `redact_shop` are done without anybody; one for a shop that was connected again meanwhile is `ignored`."
      )
    ),
    HttpApiEndpoint.get("export", "/privacy_requests/:id/export", {
      params,
      success: PrivacyExport,
      error: [...read, Problems.PrivacyRequestState]
    }).annotateMerge(
      describe(
        "exportPrivacyRequest",
        "Read what is to be handed over",
        "Everything that is known of the person now: as a customer of the shop, and as a contact. Only of a request that is `ready`."
      )
    ),
    HttpApiEndpoint.post("complete", "/privacy_requests/:id/complete", {
      params,
      success: PrivacyRequest,
      error: [...read, Problems.PrivacyRequestState]
    })
      .annotateMerge(
        describe(
          "completePrivacyRequest",
          "Say that an export was handed over",
          "The request is `done` by that, and whom it was about is forgotten."
        )
      )
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Privacy requests", "What shops ask about personal data in the name of their customers.")) {}
