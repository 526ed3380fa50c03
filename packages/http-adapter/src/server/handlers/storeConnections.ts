import {
  startStoreAuthorization,
  problemCode,
  completeStoreConnection,
  connectStore,
  getStoreConnection,
  listSkippedRecords,
  listStoreConnections,
  receiveStoreCallback,
  receiveStoreDelivery,
  removeStoreConnection,
  returnWithCode,
  returnWithResult,
  syncStore,
  updateStoreConnection
} from "@parley/domain"
import { Effect, Layer, Redacted, Result } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { ServerConfig } from "../ServerConfig.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { acceptsType } from "../contentNegotiation.ts"
import { withFaultPointers } from "../faults.ts"
import { plainParameters, rawBody } from "../requestParts.ts"
import { inQuery } from "./contacts.ts"

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escaped = (text: string) => text.replaceAll(/[&<>"']/gu, (character) => entities[character] ?? "")

/** Page with a one-time code to paste. It names the organization, because a shop owner must not forward the code of another person's journey. */
const storeCodePage = (organization: string, code: Redacted.Redacted) =>
  HttpServerResponse.html(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Connect a store</title><h1>Almost done</h1><p>The shop agreed. Enter this code where you started to connect it, within ten minutes. The store then belongs to <strong>${escaped(organization)}</strong>.</p><pre>${escaped(Redacted.value(code))}</pre><p>Did you not start this yourself? Then close this page and do not share the code. Without the code, Parley connects nothing.</p></html>`
  ).pipe(HttpServerResponse.setHeaders({ "cache-control": "no-store", "referrer-policy": "no-referrer" }))

const wantsJson = ({ headers }: HttpServerRequest.HttpServerRequest) => acceptsType(headers.accept, "application/json")

const connections = HttpApiBuilder.group(Api, "storeConnections", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listStoreConnections({ ...query, page: pageOf(query) }),
    create: ({ payload }) => connectStore(payload),
    get: ({ params }) => getStoreConnection(params),
    update: ({ headers, params, payload }) =>
      updateStoreConnection({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    sync: ({ params, payload }) => syncStore({ ...params, ...payload }),
    delete: ({ headers, params }) => removeStoreConnection({ ...params, ifVersion: expectedVersion(headers) }),
    listSkipped: ({ params, query }) => listSkippedRecords({ ...params, page: pageOf(query) }),
    complete: ({ params, payload }) => completeStoreConnection({ ...params, ...payload }),
    authorize: ({ query, request }) =>
      startStoreAuthorization(query).pipe(
        Effect.map((begun) =>
          wantsJson(request) ? begun : HttpServerResponse.redirect(begun.authorizeUrl, { status: 302 })
        ),
        withFaultPointers(inQuery)
      )
  })
)

const seeOther = (address: string) => HttpServerResponse.redirect(address, { status: 303 })

const callbacks = HttpApiBuilder.group(Api, "storeCallbacks", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    receive: Effect.fnUntraced(function* ({ query, request }) {
      const { code, organization, returnTo, storeConnectionId } = yield* receiveStoreCallback(plainParameters(query))
      if (returnTo !== null) {
        return Result.match(code, {
          onSuccess: (parked) => seeOther(returnWithCode(returnTo, parked)),
          onFailure: ({ _tag }) => seeOther(returnWithResult(returnTo, problemCode(_tag), storeConnectionId))
        })
      }
      const parked = yield* Effect.fromResult(code)
      return acceptsType(request.headers.accept, "text/html")
        ? storeCodePage(organization.name, parked)
        : { storeConnectionId, result: "authorized" as const, code: parked, organization }
    })
  })
)

export const layerStoreConnections = Layer.mergeAll(connections, callbacks)

interface Received {
  readonly request: HttpServerRequest.HttpServerRequest
}

const accepted = HttpServerResponse.empty({ status: 200 })

const below = /\/webhooks\/storefront\/([^?#]*)/u

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Path segments after the prefix of all deliveries. An invalid escape stays unchanged, because a signed delivery is never rejected for its path. */
const subPathOf = (url: string): ReadonlyArray<string> =>
  (below.exec(url)?.[1] ?? "").split("/").flatMap((segment) => (segment === "" ? [] : [decoded(segment)]))

/** Endpoints for shops. Reads deliveries raw, because a signed delivery is never rejected for its media type. */
export const layerStoreWebhooks = HttpApiBuilder.group(Api, "storeWebhooks", (handlers) =>
  Effect.map(ServerConfig, ({ maxWebhookBytes }) => {
    const read = rawBody(maxWebhookBytes)
    const receive = ({ request }: Received) =>
      read(request).pipe(
        Effect.flatMap((body) =>
          receiveStoreDelivery({ path: subPathOf(request.url), headers: request.headers, body })
        ),
        Effect.as(accepted)
      )
    return withAnswerWriters(handlers)
      .handleRaw("receive", receive)
      .handleRaw("receiveAnywhere", receive)
      .handleRaw("receiveUnderPrefix", receive)
      .handleRaw("receiveAnywhereUnderPrefix", receive)
  })
)
