import { cancelJob, getJob, listJobs } from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

/** Jobs. */
export const layer = HttpApiBuilder.group(Api, "jobs", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query: { kind, state, ...page } }) => listJobs({ kind: kind ?? null, state: state ?? null }, pageOf(page)),
    get: ({ params }) => getJob(params.id),
    cancel: ({ params }) => cancelJob(params.id)
  })
)
