import { Page, Timestamp } from "@parley/domain/kernel"
import { Job, Organization } from "@parley/domain/platform"
import {
  authorizationInputFields,
  NewStoreConnection,
  PendingStoreConnection,
  ShopDomainInput,
  SkippedRecord,
  StoreConnectionId,
  StoreConnectionPatch,
  StoreConnectionStatus,
  StoreConnectionView
} from "@parley/domain/commerce"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { alsoAnswers, area, asksProvider, describe } from "./describe.ts"
import { Idempotent, InOrganization, Public, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery, Secret } from "./shapes.ts"

const connection = idOf(StoreConnectionId, "store connection")

const read = [Problems.PermissionDenied, Problems.NotFound] as const

/** URL of the shop owner's consent page. */
const Authorization = Schema.Struct({
  authorizeUrl: Schema.String,
  expiresAt: Timestamp,
  storeConnectionId: StoreConnectionId
}).annotate({ identifier: "StoreAuthorization" })

const ReceivedCode = Schema.Struct({
  storeConnectionId: StoreConnectionId,
  result: Schema.Literal("authorized"),
  code: Secret,
  organization: Schema.Struct({ id: Organization.fields.id, name: Organization.fields.name })
}).annotate({ identifier: "StoreCode" })

/** No pattern: a malformed code gets the same answer as a wrong one. */
const Completion = Schema.Struct({
  code: Secret.annotateKey({ description: "One-time code of the callback." }),
  codeVerifier: Secret.annotateKey({ description: "Verifier of the `codeChallenge` that started the connection." })
}).annotate({ identifier: "StoreCompletion" })

const optionalText = (description: string) =>
  Schema.optionalKey(
    Schema.String.check(Schema.isMaxCodePoints(2_000, { message: "Expected at most 2000 characters" }))
  ).annotateKey({ description })

/** A provider adds its own parameters, which are signed with the others. */
const Callback = Schema.StructWithRest(
  Schema.Struct({
    shop: optionalText("Domain of the shop."),
    state: optionalText("State of the authorization."),
    code: optionalText("Code of the shop; missing after a refusal."),
    timestamp: optionalText("Time of the redirect by the provider."),
    hmac: optionalText("Signature of the provider over the other parameters.")
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

const SyncRequest = Schema.Struct({
  full: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether everything is read, instead of the changes since the last sync."
  })
}).annotate({ identifier: "SyncRequest" })

/** Store connections: the online stores of the organization. */
export class StoreConnectionsApi extends HttpApiGroup.make("storeConnections")
  .add(
    HttpApiEndpoint.get("list", "/store_connections", {
      query: {
        ...PageQuery,
        status: Schema.optionalKey(StoreConnectionStatus).annotateKey({ description: "Only stores in this status." })
      },
      success: Page(StoreConnectionView),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(describe("listStoreConnections", "List store connections", "Newest first.")),
    HttpApiEndpoint.post("create", "/store_connections", {
      payload: NewStoreConnection,
      success: PendingStoreConnection.pipe(HttpApiSchema.status(201)),
      error: [
        Problems.PermissionDenied,
        Problems.StoreExists,
        Problems.StoreBeingRemoved,
        Problems.StoreAppNotConfigured,
        Problems.PlanLimitReached
      ]
    })
      .annotateMerge(
        describe(
          "connectStore",
          "Connect a store",
          "The store is `pending`. Keep a random verifier and send its S256 digest as `codeChallenge`. The owner of the shop agrees at `authorizeUrl` within ten minutes. The browser returns to `returnTo` with a one-time code in the fragment, `#code=...`; after a refusal with `storeConnectionId` and `result`, the code of a problem, in the query. Finish with `POST /store_connections/{id}/complete`."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/store_connections/:id", {
      params: connection,
      success: StoreConnectionView,
      error: read
    }).annotateMerge(
      describe(
        "getStoreConnection",
        "Get a store connection",
        "`freshness` is the age of the stored data: `frozen` if the store is not connected, `catching_up` during an import, `stale` without a sync for 20 minutes, otherwise `live`."
      )
    ),
    HttpApiEndpoint.patch("update", "/store_connections/:id", {
      params: connection,
      headers: IfMatch,
      payload: StoreConnectionPatch,
      success: StoreConnectionView,
      error: [...read, Problems.VersionConflict]
    }).annotateMerge(
      describe(
        "updateStoreConnection",
        "Update a store connection",
        "`makeContacts` selects the customers that become contacts. `takeConsent` applies the consent of customers in the store. `cartAbandonedAfterMinutes` is the inactivity after which a cart is abandoned."
      )
    ),
    HttpApiEndpoint.post("sync", "/store_connections/:id/sync", {
      params: connection,
      payload: SyncRequest,
      success: Job.pipe(HttpApiSchema.status(202)),
      error: [...read, Problems.StoreNotConnected]
    })
      .annotateMerge(
        describe(
          "syncStore",
          "Sync a store",
          "Stores are synced automatically every ten minutes and after each change. This call starts a job that reads the latest changes, with `full` everything; if a job is running, the answer is that job. `sync` of the store connection shows the progress."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("listSkipped", "/store_connections/:id/skipped_records", {
      params: connection,
      query: PageQuery,
      success: Page(SkippedRecord),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(
      describe(
        "listSkippedRecords",
        "List the skipped records of a store",
        "Records of the shop that cannot be read, by kind and id. `reason` names the fields without a readable value. They are read again after an upgrade of the service and with each full sync; a record that has become readable leaves the list. At most 10,000 are listed per store."
      )
    ),
    HttpApiEndpoint.post("complete", "/store_connections/:id/complete", {
      params: connection,
      payload: Completion,
      success: StoreConnectionView,
      error: [
        ...read,
        Problems.StoreCodeInvalid,
        Problems.StoreExchangeInProgress,
        Problems.StoreAppNotConfigured,
        Problems.StoreConnectedElsewhere,
        Problems.PlanLimitReached,
        Problems.StoreRefused,
        Problems.StoreUnreachable,
        Problems.StoreScopesMissing
      ]
    })
      .annotateMerge(
        describe(
          "completeStoreConnection",
          "Complete a store connection",
          "Only the caller who started can finish, within ten minutes, with the one-time code and the verifier. The code of the shop is exchanged and the store is `connected`, in one step. Wrong, spent and expired codes, wrong verifiers and other callers get the same answer. `store_unreachable` and `store_exchange_in_progress` leave the code valid: repeat the call. `store_refused` means that the code of the shop has expired or is spent: start again."
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent),
    HttpApiEndpoint.delete("delete", "/store_connections/:id", {
      params: connection,
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: [...read, Problems.VersionConflict, Problems.StoreUnreachable]
    })
      .annotateMerge(
        describe(
          "removeStoreConnection",
          "Disconnect a store",
          "Removes the app from the shop and deletes the data of the store in the background: customers, orders, carts and products, and contacts that come from this store only and have no other activity. Until then, the connection is `uninstalled`, and connecting the shop again answers 409 `store_being_removed`."
        )
      )
      .annotateMerge(asksProvider),
    HttpApiEndpoint.get("authorize", "/integrations/storefront/authorize", {
      query: {
        shop: ShopDomainInput,
        ...authorizationInputFields
      },
      success: Authorization,
      error: [
        Problems.PermissionDenied,
        Problems.StoreBeingRemoved,
        Problems.StoreAppNotConfigured,
        Problems.PlanLimitReached
      ]
    }).annotateMerge(
      describe(
        "authorizeStore",
        "Start store authorization",
        "Redirects to the shop; with `Accept: application/json` it answers with the address. It connects a new shop and authorizes a connected one again. `codeChallenge` is required: finish with `POST /store_connections/{id}/complete`."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Store connections", "Online stores of the organization, and their status.")) {}

/** Page for users without a `returnTo` address. */
const codePage = {
  "text/html": {
    schema: { type: "string", description: "With `Accept: text/html`: a page that shows the code." },
    example: "<!doctype html>"
  }
}

/** Browsers return to this endpoint from a shop, without a token. The provider signs the parameters. */
export class StoreCallbacksApi extends HttpApiGroup.make("storeCallbacks")
  .add(
    HttpApiEndpoint.get("receive", "/integrations/storefront/callback", {
      query: Callback,
      success: ReceivedCode,
      error: [
        Problems.StoreCallbackSignatureInvalid,
        Problems.StoreCallbackStateInvalid,
        Problems.StoreAuthorizationDenied
      ]
    })
      .annotateMerge(
        describe(
          "receiveStoreCallback",
          "Complete store authorization",
          "The provider redirects browsers here, with signed parameters. The call connects nothing: the browser continues to `returnTo` with a one-time code in the fragment, and the caller who started finishes with `POST /store_connections/{id}/complete`. Without `returnTo` the code is in the answer."
        )
      )
      .annotateMerge(alsoAnswers(codePage))
  )
  .middleware(RequestFaults)
  .middleware(Public)
  .prefix("/api/v1")
  .annotateMerge(area("Store callbacks", "The callback for browsers that return from a shop.")) {}
