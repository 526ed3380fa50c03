import {
  Page,
  StoreConnectionId,
  StoreConnectionPatch,
  StoreConnectionStatus,
  StoreConnectionView
} from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

const connection = idOf(StoreConnectionId, "store connection")

const read = [Problems.PermissionDenied, Problems.NotFound] as const

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
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Store connections", "The online stores of the organization, and how they are doing.")) {}
