import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  getScheduleStatus,
  listSchedules,
  updateSchedule,
  WeeklySchedule
} from "@parley/domain/automation"
import { SchedulesApi } from "../../../api/schedules.ts"
import { at, samplePage, schedule } from "../../examples/samples.ts"
import { bind } from "../bind.ts"

const { holidays, name: schedulesName, timezone, weekly } = schedule

const schedulesLater = "Support in winter"

export const schedules = bind(SchedulesApi, {
  list: { runs: listSchedules, response: samplePage(schedule) },
  create: { runs: createSchedule, request: { name: schedulesName, timezone, weekly, holidays }, response: schedule },
  get: { runs: getSchedule, response: schedule },
  status: { runs: getScheduleStatus, response: { open: true, nextChangeAt: at("17:00:00.000") } },
  update: {
    runs: updateSchedule,
    request: { name: schedulesLater },
    response: new WeeklySchedule({ ...schedule, name: schedulesLater, updatedAt: at("10:00:00.000"), version: 2 })
  },
  delete: { runs: deleteSchedule }
})
