import { getStoreConnection, listStoreConnections, updateStoreConnection } from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

/** Store connections. */
export const layer = HttpApiBuilder.group(Api, "storeConnections", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query: { status, ...page } }) => listStoreConnections(status ?? null, pageOf(page)),
    get: ({ params }) => getStoreConnection(params.id),
    update: ({ headers, params, payload }) => updateStoreConnection(params.id, payload, expectedVersion(headers))
  })
)
