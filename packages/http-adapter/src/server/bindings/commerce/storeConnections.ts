import { Effect, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Job, JobId } from "@parley/domain/platform"
import {
  completeStoreConnection,
  connectStore,
  getStoreConnection,
  listSkippedRecords,
  listStoreConnections,
  PendingStoreConnection,
  removeStoreConnection,
  SkippedRecord,
  startStoreAuthorization,
  StoreConnectionView,
  syncStore,
  updateStoreConnection
} from "@parley/domain/commerce"
import { StoreConnectionsApi } from "../../../api/storeConnections.ts"
import { acceptsType } from "../../contentNegotiation.ts"
import { ada, at, samplePage } from "../../examples/samples.ts"
import { journeyCode, storeConnection, storeConnectionId } from "../../examples/stores.ts"
import { withFaultPointers } from "../../faults.ts"
import { bindWith, inQuery } from "../bind.ts"

const authorizeUrl =
  "https://blue-bakery.myshopify.com/admin/oauth/authorize?client_id=8f1f&scope=read_customers,read_orders,read_products&state=r7Zc1u"

const pendingStore = new PendingStoreConnection({
  ...storeConnection,
  name: storeConnection.shopDomain,
  currency: null,
  status: "pending",
  scopes: [],
  ordersSince: null,
  sync: { state: "never", phase: null, progress: { done: 0, total: null }, jobId: null },
  freshness: { state: "frozen", asOf: null },
  lastSyncedAt: null,
  connectedAt: null,
  updatedAt: storeConnection.createdAt,
  version: 1,
  authorizeUrl,
  authorizeExpiresAt: at("08:39:00.000")
})

const wantsJson = ({ headers }: HttpServerRequest.HttpServerRequest) => acceptsType(headers.accept, "application/json")

export const storeConnections = bindWith(
  StoreConnectionsApi,
  {
    list: { runs: listStoreConnections, response: samplePage(storeConnection) },
    create: {
      runs: connectStore,
      request: {
        provider: "shopify",
        shopDomain: storeConnection.shopDomain,
        makeContacts: "reachable",
        codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        returnTo: "https://app.bluebakery.example/stores"
      },
      response: pendingStore
    },
    authorize: {
      uses: startStoreAuthorization,
      response: { authorizeUrl, expiresAt: pendingStore.authorizeExpiresAt, storeConnectionId }
    },
    get: { runs: getStoreConnection, response: storeConnection },
    sync: {
      runs: syncStore,
      request: { full: true },
      response: new Job({
        id: JobId.make("01934c11-2b3c-7d4e-9f50-61728394a5b6"),
        kind: "stores.sync",
        state: "queued",
        progress: { done: 0, total: null },
        counts: {},
        error: null,
        errorCode: null,
        resultUrl: null,
        cancelRequested: false,
        createdBy: { kind: "user", id: ada.id },
        createdAt: at("14:15:00.000"),
        startedAt: null,
        finishedAt: null,
        updatedAt: at("14:15:00.000")
      })
    },
    listSkipped: {
      runs: listSkippedRecords,
      response: samplePage(
        new SkippedRecord({
          kind: "orders",
          externalId: "5123",
          reason: "No readable value: totalPriceSet",
          createdAt: at("13:00:00.000"),
          updatedAt: at("14:10:00.000")
        })
      )
    },
    complete: {
      runs: completeStoreConnection,
      request: { code: journeyCode, codeVerifier: Redacted.make("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk") },
      response: new StoreConnectionView({
        ...storeConnection,
        sync: pendingStore.sync,
        freshness: { state: "catching_up", asOf: null },
        lastSyncedAt: null,
        updatedAt: at("08:30:00.000"),
        version: 2
      })
    },
    delete: { runs: removeStoreConnection },
    update: {
      runs: updateStoreConnection,
      request: { makeContacts: "subscribed" },
      response: new StoreConnectionView({
        ...storeConnection,
        makeContacts: "subscribed",
        updatedAt: at("14:15:00.000"),
        version: storeConnection.version + 1
      })
    }
  },
  (handlers) =>
    handlers.handleAll({
      authorize: ({ query, request }) =>
        startStoreAuthorization(query).pipe(
          Effect.map((begun) =>
            wantsJson(request) ? begun : HttpServerResponse.redirect(begun.authorizeUrl, { status: 302 })
          ),
          withFaultPointers(inQuery)
        )
    })
)
