import { createSegment, deleteSegment, getSegment, listSegments, updateSegment } from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

/** Segments. */
export const layer = HttpApiBuilder.group(Api, "segments", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listSegments(pageOf(query)),
    create: ({ payload }) => createSegment(payload),
    get: ({ params }) => getSegment(params.id),
    update: ({ headers, params, payload }) => updateSegment(params.id, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => deleteSegment(params.id, expectedVersion(headers))
  })
)
