import type { Timeline } from "../../Timeline.ts"
import type { SimulatedNumber } from "../Options.ts"
import type { TellOfNumber } from "../values.ts"
import type { Customer, Group, World } from "../World.ts"

const fields = {
  group_create: "group_lifecycle_update",
  group_delete: "group_lifecycle_update",
  group_participants_add: "group_participants_update",
  group_participants_remove: "group_participants_update",
  group_join_request_created: "group_participants_update",
  group_join_request_revoked: "group_participants_update",
  group_settings_update: "group_settings_update",
  group_suspend: "group_status_update",
  group_suspend_cleared: "group_status_update"
} as const
export type GroupEvent = keyof typeof fields
export const groupEvents: ReadonlyArray<string> = Object.keys(fields)
export const isGroupEvent = (event: string): event is GroupEvent => Object.hasOwn(fields, event)

/** Groups of a number. */
export const makeGroups = (world: World, timeline: Timeline, tell: TellOfNumber) => {
  const report = (number: SimulatedNumber, groupId: string, event: GroupEvent, details: object = {}) =>
    tell(number, fields[event], {
      groups: [{ timestamp: String(Math.floor(timeline.now() / 1_000)), group_id: groupId, type: event, ...details }]
    })

  const participant = (customer: Customer) => ({
    ...(customer.phone === null ? {} : { wa_id: customer.phone }),
    user_id: customer.userId
  })

  return {
    report,
    create: (number: SimulatedNumber, subject: string, requestId = `req${world.next()}`): Group => {
      const id = Buffer.from(`group:${world.next()}`).toString("base64url")
      const group: Group = { id, phoneId: number.phoneId, subject, isSuspended: false, participants: new Set() }
      world.groups.set(id, group)
      report(number, id, "group_create", {
        request_id: requestId,
        subject,
        invite_link: `https://chat.whatsapp.com/${id}`,
        join_approval_mode: "auto_approve"
      })
      return group
    },
    join: (number: SimulatedNumber, group: Group, customer: Customer) => {
      group.participants.add(customer)
      report(number, group.id, "group_participants_add", {
        reason: "invite_link",
        added_participants: [participant(customer)]
      })
    },
    leave: (number: SimulatedNumber, group: Group, customer: Customer) => {
      group.participants.delete(customer)
      report(number, group.id, "group_participants_remove", {
        initiated_by: "participant",
        removed_participants: [participant(customer)]
      })
    },
    remove: (number: SimulatedNumber, group: Group) => {
      world.groups.delete(group.id)
      report(number, group.id, "group_delete", { request_id: `req${world.next()}` })
    }
  }
}
