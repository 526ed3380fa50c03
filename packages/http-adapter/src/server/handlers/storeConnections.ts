import {
  beginStoreAuthorization,
  codeOf,
  completeStoreAuthorization,
  connectStore,
  getStoreConnection,
  listStoreConnections,
  removeStoreConnection,
  returnWith,
  syncStore,
  updateStoreConnection
} from "@parley/domain"
import { Effect, Layer, Result } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { acceptsType } from "../acceptsType.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"
import { withFaultPointers } from "../faultPointers.ts"
import { plainParameters } from "../plainParameters.ts"
import { inQuery } from "./contacts.ts"

const wantsJson = ({ headers }: HttpServerRequest.HttpServerRequest) => acceptsType(headers.accept, "application/json")

const connections = HttpApiBuilder.group(Api, "storeConnections", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query: { status, ...page } }) => listStoreConnections(status ?? null, pageOf(page)),
    create: ({ payload }) => connectStore(payload),
    get: ({ params }) => getStoreConnection(params.id),
    update: ({ headers, params, payload }) => updateStoreConnection(params.id, payload, expectedVersion(headers)),
    sync: ({ params, payload: { full = false } }) => syncStore(params.id, full),
    delete: ({ headers, params }) => removeStoreConnection(params.id, expectedVersion(headers)),
    authorize: ({ query: { returnTo, shop }, request }) =>
      beginStoreAuthorization(shop, returnTo).pipe(
        Effect.map((begun) =>
          wantsJson(request) ? begun : HttpServerResponse.redirect(begun.authorizeUrl, { status: 302 })
        ),
        withFaultPointers(inQuery)
      )
  })
)

const callbacks = HttpApiBuilder.group(Api, "storeCallbacks", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    complete: Effect.fnUntraced(function* ({ query }) {
      const { connected, organization, returnTo, storeConnectionId } = yield* completeStoreAuthorization(
        plainParameters(query)
      )
      if (returnTo === null) {
        return { storeConnectionId: yield* Effect.fromResult(connected), result: "connected" as const, organization }
      }
      const result = Result.match(connected, { onSuccess: () => "connected", onFailure: ({ _tag }) => codeOf(_tag) })
      const id = Result.getOrElse(connected, () => storeConnectionId)
      return HttpServerResponse.redirect(returnWith(returnTo, result, id), { status: 303 })
    })
  })
)

/** Store connections, and who comes back from shops. */
export const layer = Layer.mergeAll(connections, callbacks)
