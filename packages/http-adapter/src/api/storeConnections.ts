import {
  Job,
  NewStoreConnection,
  Organization,
  Page,
  PendingStoreConnection,
  ReturnTo,
  ShopDomainInput,
  StoreConnectionId,
  StoreConnectionPatch,
  StoreConnectionStatus,
  StoreConnectionView,
  Timestamp
} from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, asksProvider, describe } from "./describe.ts"
import { Idempotent, InOrganization, Public, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

const connection = idOf(StoreConnectionId, "store connection")

const read = [Problems.PermissionDenied, Problems.NotFound] as const

/** Where somebody agrees in a shop. */
const Authorization = Schema.Struct({
  authorizeUrl: Schema.String,
  expiresAt: Timestamp,
  storeConnectionId: StoreConnectionId
}).annotate({ identifier: "StoreAuthorization" })

const Connected = Schema.Struct({
  storeConnectionId: StoreConnectionId,
  result: Schema.Literal("connected"),
  organization: Schema.Struct({ id: Organization.fields.id, name: Organization.fields.name })
}).annotate({ identifier: "ConnectedStore" })

const said = (description: string) =>
  Schema.optionalKey(
    Schema.String.check(Schema.isMaxCodePoints(2_000, { message: "Expected at most 2000 characters" }))
  ).annotateKey({ description })

/** A provider adds parameters of its own, which are signed with the others. */
const Callback = Schema.StructWithRest(
  Schema.Struct({
    shop: said("The address of the shop."),
    state: said("What the person was sent to the shop with."),
    code: said("What the access is got with; left out where somebody has said no."),
    timestamp: said("When the provider has sent the person back."),
    hmac: said("The signature of the provider over the other parameters.")
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

const SyncRequest = Schema.Struct({
  full: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether everything is read, not only what has changed since the last time."
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
      error: [Problems.PermissionDenied, Problems.StoreExists, Problems.StorefrontAppAbsent, Problems.PlanLimitReached]
    })
      .annotateMerge(
        describe(
          "connectStore",
          "Connect a store",
          "The store is `pending` until somebody agrees in the shop: send them to `authorizeUrl` within ten minutes. They come back to `returnTo` with `storeConnectionId` and a `result`, which is `connected` or the code of a problem. `returnTo` is an address of this service, or of an origin whose pages may call it."
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
        "Read a store connection",
        "`freshness` says how far what is known of the store can be behind it: `frozen` if it is not connected, `catching_up` while it is imported, `stale` if it has not been read for 20 minutes, else `live`."
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
        "Change a store connection",
        "`makeContacts` says of which customers contacts are made, `takeConsent` whether what customers have agreed to in the store counts here, and `cartAbandonedAfterMinutes` after how many silent minutes a cart is abandoned."
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
          "Read a store now",
          "Stores are read by themselves, every ten minutes and whenever something changes. A job reads what has changed since then at once, with `full` everything; while one runs, that one is the answer. `sync` of the store connection says how far it is."
        )
      )
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
          "The app is taken out of the shop, and everything that is known of it is forgotten in the background: customers, orders, carts and products, and contacts who are known from this store only and with whom nothing else has happened. Until that is done, the connection is `uninstalled`."
        )
      )
      .annotateMerge(asksProvider),
    HttpApiEndpoint.get("authorize", "/integrations/storefront/authorize", {
      query: {
        shop: ShopDomainInput,
        returnTo: Schema.optionalKey(ReturnTo).annotateKey({
          description: "Where to go back to once it is decided in the shop."
        })
      },
      success: Authorization,
      error: [Problems.PermissionDenied, Problems.StorefrontAppAbsent, Problems.PlanLimitReached]
    }).annotateMerge(
      describe(
        "authorizeStore",
        "Have somebody agree in a shop",
        "Redirects to the shop; with `Accept: application/json` it says where that is. A shop that is not connected yet is then, and for one that is it is agreed again."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Store connections", "The online stores of the organization, and how they are doing.")) {}

/** Where people come back to from a shop: without a token, with what its provider has signed. */
export class StoreCallbacksApi extends HttpApiGroup.make("storeCallbacks")
  .add(
    HttpApiEndpoint.get("complete", "/integrations/storefront/callback", {
      query: Callback,
      success: Connected,
      error: [
        Problems.CallbackSignatureInvalid,
        Problems.CallbackStateInvalid,
        Problems.AuthorizationDenied,
        Problems.StoreTaken,
        Problems.PlanLimitReached,
        Problems.StoreRefused,
        Problems.StoreUnreachable,
        Problems.StoreScopesMissing
      ]
    })
      .annotateMerge(
        describe(
          "completeStoreAuthorization",
          "Come back from a shop",
          "The provider sends people here, with parameters that it has signed. They go on to `returnTo` with `storeConnectionId` and `result`; where none was given, this answers itself."
        )
      )
      .annotateMerge(asksProvider)
  )
  .middleware(RequestFaults)
  .middleware(Public)
  .prefix("/api/v1")
  .annotateMerge(area("Store callbacks", "Where people come back to from a shop.")) {}
