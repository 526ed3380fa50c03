import {
  beginStoreAuthorization,
  codeOf,
  completeStoreConnection,
  connectStore,
  getStoreConnection,
  listSkippedRecords,
  listStoreConnections,
  receiveStoreCallback,
  removeStoreConnection,
  returnWithCode,
  returnWithResult,
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
import { storeCodePage } from "../storeCodePage.ts"
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
    listSkipped: ({ params, query }) => listSkippedRecords(params.id, pageOf(query)),
    complete: ({ params, payload }) => completeStoreConnection(params.id, payload),
    authorize: ({ query: { shop, ...journey }, request }) =>
      beginStoreAuthorization(shop, journey).pipe(
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
          onFailure: ({ _tag }) => seeOther(returnWithResult(returnTo, codeOf(_tag), storeConnectionId))
        })
      }
      const parked = yield* Effect.fromResult(code)
      return acceptsType(request.headers.accept, "text/html")
        ? storeCodePage(organization.name, parked)
        : { storeConnectionId, result: "authorized" as const, code: parked, organization }
    })
  })
)

export const layer = Layer.mergeAll(connections, callbacks)
