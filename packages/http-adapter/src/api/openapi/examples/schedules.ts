import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  getScheduleStatus,
  listSchedules,
  updateSchedule,
  WeeklySchedule
} from "@parley/domain"
import type { SchedulesApi } from "../../schedules.ts"
import type { ExamplesOf } from "./Example.ts"
import { at, pageOf, schedule } from "./samples.ts"

const { holidays, name, timezone, weekly } = schedule

const later = "Support in winter"

export const schedules: ExamplesOf<typeof SchedulesApi> = {
  list: { runs: listSchedules, answer: pageOf(schedule) },
  create: { runs: createSchedule, request: { name, timezone, weekly, holidays }, answer: schedule },
  get: { runs: getSchedule, answer: schedule },
  status: { runs: getScheduleStatus, answer: { open: true, nextChangeAt: at("17:00:00.000") } },
  update: {
    runs: updateSchedule,
    request: { name: later },
    answer: new WeeklySchedule({ ...schedule, name: later, updatedAt: at("10:00:00.000"), version: 2 })
  },
  delete: { runs: deleteSchedule }
}
