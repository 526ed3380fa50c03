import type { Timeline } from "../../Timeline.ts"
import { type Refusal, refusal } from "../failures.ts"
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

/** Customers in a group, in addition to the business. */
const maxParticipants = 8

export interface NewGroup {
  readonly subject: string
  readonly description?: string | null
  readonly isApprovalRequired?: boolean
}

/** Groups of a number. */
export const makeGroups = (world: World, timeline: Timeline, tell: TellOfNumber) => {
  const report = (number: SimulatedNumber, groupId: string, event: GroupEvent, details: object = {}) => {
    const group = world.groups.get(groupId)
    if (group !== undefined && event === "group_suspend") group.isSuspended = true
    if (group !== undefined && event === "group_suspend_cleared") group.isSuspended = false
    tell(number, fields[event], {
      groups: [{ timestamp: String(Math.floor(timeline.now() / 1_000)), group_id: groupId, type: event, ...details }]
    })
  }

  const participant = (customer: Customer) => ({
    ...(customer.phone === null ? {} : { wa_id: customer.phone }),
    user_id: customer.userId,
    ...(customer.parentUserId === null ? {} : { parent_user_id: customer.parentUserId }),
    ...(customer.username === null ? {} : { username: `@${customer.username}` })
  })

  const newLink = () => `https://chat.whatsapp.com/${Buffer.from(`link:${world.next()}`).toString("base64url")}`

  const add = (number: SimulatedNumber, group: Group, customer: Customer) => {
    group.participants.add(customer)
    report(number, group.id, "group_participants_add", {
      reason: "invite_link",
      added_participants: [participant(customer)]
    })
  }

  const isFull = ({ participants }: Group) => participants.size >= maxParticipants

  const requestOf = (group: Group, customer: Customer) =>
    [...group.requests].find(([, request]) => request.customer === customer)?.[0]

  return {
    report,
    participant,
    newLink,
    create: (
      number: SimulatedNumber,
      { description = null, isApprovalRequired = false, subject }: NewGroup,
      requestId = `req${world.next()}`
    ): Group => {
      const id = Buffer.from(`group:${world.next()}`).toString("base64url")
      const group: Group = {
        id,
        phoneId: number.phoneId,
        createdAt: timeline.now(),
        isApprovalRequired,
        subject,
        description,
        inviteLink: newLink(),
        isSuspended: false,
        participants: new Set(),
        removed: new Set(),
        requests: new Map()
      }
      world.groups.set(id, group)
      report(number, id, "group_create", {
        request_id: requestId,
        subject,
        invite_link: group.inviteLink,
        join_approval_mode: isApprovalRequired ? "approval_required" : "auto_approve"
      })
      return group
    },
    /** A customer opens the invitation. It does not work in full and suspended groups, nor for a customer whom the business removed. */
    join: (number: SimulatedNumber, group: Group, customer: Customer) => {
      const isIn = group.participants.has(customer) || requestOf(group, customer) !== undefined
      if (isIn || group.isSuspended || group.removed.has(customer) || isFull(group)) return
      if (!group.isApprovalRequired) {
        add(number, group, customer)
        return
      }
      const id = Buffer.from(`join:${world.next()}`).toString("base64url")
      group.requests.set(id, { customer, at: timeline.now() })
      report(number, group.id, "group_join_request_created", { join_request_id: id, ...participant(customer) })
    },
    /** Approves a request to join; returns why it cannot. */
    approve: (number: SimulatedNumber, group: Group, requestId: string): Refusal | null => {
      const request = group.requests.get(requestId)
      if (request === undefined) return refusal(131_213, "The join request does not exist.")
      if (isFull(group)) return refusal(131_204, `A group has at most ${maxParticipants} participants.`)
      group.requests.delete(requestId)
      add(number, group, request.customer)
      return null
    },
    reject: (group: Group, requestId: string): Refusal | null =>
      group.requests.delete(requestId) ? null : refusal(131_213, "The join request does not exist."),
    /** A customer leaves the group, or withdraws the request to join. */
    leave: (number: SimulatedNumber, group: Group, customer: Customer) => {
      const requestId = requestOf(group, customer)
      if (requestId !== undefined) {
        group.requests.delete(requestId)
        report(number, group.id, "group_join_request_revoked", { join_request_id: requestId, ...participant(customer) })
        return
      }
      if (!group.participants.delete(customer)) return
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
export type Groups = ReturnType<typeof makeGroups>
