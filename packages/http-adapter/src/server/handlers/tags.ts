import { createTag, deleteTag, getTag, listTags, mergeTags, updateTag } from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

/** Tags. */
export const layer = HttpApiBuilder.group(Api, "tags", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query: { q, ...page } }) => listTags(q ?? "", pageOf(page)),
    create: ({ payload }) => createTag(payload),
    get: ({ params }) => getTag(params.id),
    update: ({ headers, params, payload }) => updateTag(params.id, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => deleteTag(params.id, expectedVersion(headers)),
    merge: ({ params, payload }) => mergeTags(params.id, payload.into)
  })
)
