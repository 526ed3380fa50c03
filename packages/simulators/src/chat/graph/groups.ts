import { Effect } from "effect"
import { type Fields, listAt, objectAt, oneOf, refuse, textAt, textIfAny } from "../checks.ts"
import type { SimulatedNumber } from "../Options.ts"
import type { Simulation } from "../Simulation.ts"
import type { Group, World } from "../World.ts"
import type { Access } from "./access.ts"
import { type Call, type Handler, parametersOf, type Scripted } from "./Call.ts"
import { pageOf, selectFields } from "./fields.ts"
import { makeJoinRequests } from "./joinRequests.ts"
import { requireProduct } from "./registration.ts"

const maxGroups = 10_000

/** Groups: calls are answered at once, and their results come as webhooks. */
export const makeGroupCalls = (world: World, simulation: Simulation, access: Access, scripted: Scripted) => {
  const { groups } = simulation
  const joinRequests = makeJoinRequests(groups)
  const requested = (id: string) => ({ messaging_product: "whatsapp", request_id: id })
  const newRequest = () => `req_${String(world.next()).padStart(6, "0")}`

  const ofNumber = ({ phoneId }: SimulatedNumber) =>
    [...world.groups.values()].filter((group) => group.phoneId === phoneId)

  const create = (number: SimulatedNumber, fields: Fields): object => {
    requireProduct(fields)
    const { isOfficial, isOnBizApp } = world.stateOf(number)
    if (!isOfficial || isOnBizApp) refuse(131_215, "The number is not eligible for groups.")
    if (ofNumber(number).length >= maxGroups) refuse(131_211, `The number has ${maxGroups} groups.`)
    const subject = textAt(fields["subject"], "subject", 128)
    const description = textIfAny(fields["description"], "description", 2_048)
    const modes = ["auto_approve", "approval_required"] as const
    const mode = oneOf(fields["join_approval_mode"] ?? "auto_approve", "join_approval_mode", modes)
    const request = newRequest()
    groups.create(number, { subject, description, isApprovalRequired: mode === "approval_required" }, request)
    return requested(request)
  }

  const requireGroup = (call: Call): { readonly group: Group; readonly number: SimulatedNumber } => {
    const group = world.groups.get(call.id)
    if (group === undefined) return refuse(131_041, "The group does not exist.")
    return { group, number: access.requireNumber(call, group.phoneId) }
  }

  const removeParticipants = (number: SimulatedNumber, group: Group, fields: Fields): object => {
    requireProduct(fields)
    const found = listAt(fields["participants"], "participants", 8).map((entry) => {
      const input = textAt(objectAt(entry, "participants", ["user"])["user"], "user", 140)
      const customer = world.findCustomer(input)
      return customer === undefined || !group.participants.has(customer)
        ? refuse(131_212, `${input} is not in the group.`)
        : { input, customer }
    })
    if (new Set(found.map(({ customer }) => customer)).size < found.length) {
      refuse(131_202, "A participant is named twice.")
    }
    for (const { customer } of found) {
      group.participants.delete(customer)
      group.removed.add(customer)
    }
    const request = newRequest()
    groups.report(number, group.id, "group_participants_remove", {
      request_id: request,
      removed_participants: found.map(({ customer, input }) => ({
        input,
        ...(customer.phone === null ? {} : { wa_id: customer.phone })
      })),
      initiated_by: "business"
    })
    return requested(request)
  }

  const changeSettings = (number: SimulatedNumber, group: Group, fields: Fields): object => {
    const { description, subject } = fields
    if (group.isSuspended) refuse(131_207, "The group violates the policies of the platform.")
    if (subject === undefined && description === undefined) refuse(131_008, "The parameter subject is required.")
    if (subject !== undefined) group.subject = textAt(subject, "subject", 128)
    if (description !== undefined) group.description = textIfAny(description, "description", 2_048)
    const request = newRequest()
    groups.report(number, group.id, "group_settings_update", {
      request_id: request,
      ...(subject === undefined ? {} : { group_subject: { text: group.subject, update_successful: true } }),
      ...(description === undefined ? {} : { group_description: { text: group.description, update_successful: true } })
    })
    return requested(request)
  }

  const fieldsOf = (group: Group): Readonly<Record<string, () => unknown>> => ({
    id: () => group.id,
    messaging_product: () => "whatsapp",
    subject: () => group.subject,
    description: () => group.description ?? undefined,
    suspended: () => group.isSuspended,
    creation_timestamp: () => Math.floor(group.createdAt / 1_000),
    join_approval_mode: () => (group.isApprovalRequired ? "approval_required" : "auto_approve"),
    // Without the business.
    total_participant_count: () => group.participants.size,
    participants: () => [...group.participants].map(groups.participant)
  })

  const read = (group: Group, fields: string | null) =>
    selectFields("Group", fieldsOf(group), fields === null ? null : `${fields},messaging_product`, [
      "messaging_product"
    ])

  const inviteLink = ({ inviteLink: link }: Group) => ({ messaging_product: "whatsapp", invite_link: link })

  type GroupCall = (number: SimulatedNumber, group: Group, fields: Fields, call: Call) => object

  const onGroup =
    (perform: GroupCall): Handler =>
    (call) =>
      Effect.gen(function* () {
        const { group, number } = requireGroup(call)
        const fields = yield* parametersOf(call)
        return yield* scripted("settings", call, () => perform(number, group, fields, call))
      })

  const onNumber =
    (perform: (number: SimulatedNumber, fields: Fields, call: Call) => object): Handler =>
    (call) =>
      Effect.gen(function* () {
        const number = access.requireNumber(call)
        const fields = yield* parametersOf(call)
        return yield* scripted("settings", call, () => perform(number, fields, call))
      })

  return {
    create: onNumber(create),
    list: onNumber((number, _, call) => {
      const { data, ...page } = pageOf(ofNumber(number), call.query, `${call.origin}/${call.id}/groups`, (group) => ({
        id: group.id,
        subject: group.subject,
        created_at: String(Math.floor(group.createdAt / 1_000))
      }))
      return { data: { groups: data }, ...page }
    }),
    read: onGroup((_, group, __, { query }) => read(group, query.get("fields"))),
    update: onGroup(changeSettings),
    remove: onGroup((number, group) => {
      groups.remove(number, group)
      return requested(newRequest())
    }),
    inviteLink: onGroup((_, group) => inviteLink(group)),
    /** Earlier links stop working. */
    resetInviteLink: onGroup((_, group) => {
      group.inviteLink = groups.newLink()
      return inviteLink(group)
    }),
    joinRequests: onGroup(joinRequests.list),
    approveJoinRequests: onGroup(joinRequests.approve),
    rejectJoinRequests: onGroup(joinRequests.reject),
    removeParticipants: onGroup(removeParticipants),
    isGroup: (id: string) => world.groups.has(id)
  }
}
export type GroupCalls = ReturnType<typeof makeGroupCalls>
