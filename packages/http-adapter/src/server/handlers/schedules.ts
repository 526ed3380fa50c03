import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  getScheduleStatus,
  listSchedules,
  updateSchedule
} from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

/** Schedules. */
export const layer = HttpApiBuilder.group(Api, "schedules", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listSchedules(pageOf(query)),
    create: ({ payload }) => createSchedule(payload),
    get: ({ params }) => getSchedule(params.id),
    status: ({ params, query }) => getScheduleStatus(params.id, query.at ?? null),
    update: ({ headers, params, payload }) => updateSchedule(params.id, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => deleteSchedule(params.id, expectedVersion(headers))
  })
)
