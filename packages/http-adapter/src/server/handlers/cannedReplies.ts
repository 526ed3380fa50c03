import { createCannedReply, deleteCannedReply, listCannedReplies, updateCannedReply } from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

/** Canned replies. */
export const layer = HttpApiBuilder.group(Api, "cannedReplies", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query: { q, ...page } }) => listCannedReplies(q ?? "", pageOf(page)),
    create: ({ payload }) => createCannedReply(payload),
    update: ({ headers, params, payload }) => updateCannedReply(params.id, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => deleteCannedReply(params.id, expectedVersion(headers))
  })
)
