import { Effect } from "effect"
import { type Fields, listAt, objectAt, oneOf, refuse, textAt, textIfAny } from "../checks.ts"
import type { SimulatedNumber } from "../Options.ts"
import type { Simulation } from "../Simulation.ts"
import type { Group, World } from "../World.ts"
import type { Access } from "./access.ts"
import { type Call, type Handler, parametersOf, type Scripted } from "./Call.ts"
import { pageOf } from "./fields.ts"
import { requireProduct } from "./registration.ts"

/** Groups: calls are answered at once, and their results come as webhooks. */
export const makeGroupCalls = (world: World, simulation: Simulation, access: Access, scripted: Scripted) => {
  const { groups } = simulation
  const requested = (id: string) => ({ messaging_product: "whatsapp", request_id: id })
  const newRequest = () => `req_${String(world.next()).padStart(6, "0")}`

  const create = (number: SimulatedNumber, fields: Fields): object => {
    requireProduct(fields)
    if (!world.stateOf(number).isOfficial) refuse(131_215, "The number is not eligible for groups.")
    const subject = textAt(fields["subject"], "subject", 128)
    textIfAny(fields["description"], "description", 2_048)
    oneOf(fields["join_approval_mode"] ?? "auto_approve", "join_approval_mode", ["auto_approve", "approval_required"])
    const request = newRequest()
    groups.create(number, subject, request)
    return requested(request)
  }

  const requireGroup = (call: Call): { readonly group: Group; readonly number: SimulatedNumber } => {
    const group = world.groups.get(call.id)
    if (group === undefined) return refuse(131_041, "The group does not exist.")
    return { group, number: access.requireNumber(call, group.phoneId) }
  }

  const removeParticipants = (number: SimulatedNumber, group: Group, fields: Fields): object => {
    requireProduct(fields)
    const removed = listAt(fields["participants"], "participants", 8).map((entry) => {
      const input = textAt(objectAt(entry, "participants", ["user"])["user"], "user", 30)
      const customer = world.findCustomer(input)
      if (customer === undefined || !group.participants.delete(customer)) {
        return refuse(131_009, `${input} is not in the group.`)
      }
      return { input, wa_id: customer.phone }
    })
    const request = newRequest()
    groups.report(number, group.id, "group_participants_remove", {
      request_id: request,
      removed_participants: removed,
      initiated_by: "business"
    })
    return requested(request)
  }

  const changeSubject = (number: SimulatedNumber, group: Group, fields: Fields): object => {
    group.subject = textAt(fields["subject"], "subject", 128)
    const request = newRequest()
    groups.report(number, group.id, "group_settings_update", {
      request_id: request,
      group_subject: { text: group.subject, update_successful: true }
    })
    return requested(request)
  }

  const onGroup =
    (perform: (number: SimulatedNumber, group: Group, fields: Fields) => object): Handler =>
    (call) =>
      Effect.gen(function* () {
        const { group, number } = requireGroup(call)
        const fields = yield* parametersOf(call)
        return yield* scripted("settings", call, () => perform(number, group, fields))
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
    list: onNumber((number, _, call) =>
      pageOf(
        [...world.groups.values()].filter(({ phoneId }) => phoneId === number.phoneId),
        call.query,
        `${call.origin}/${call.id}/groups`,
        ({ id, subject }) => ({ id, subject })
      )
    ),
    read: onGroup((_, { id, isSuspended, participants, subject }) => ({
      messaging_product: "whatsapp",
      id,
      subject,
      suspended: isSuspended,
      total_participant_count: participants.size + 1,
      participants: [...participants].map(({ phone, userId }) =>
        phone === null ? { user_id: userId } : { wa_id: phone }
      )
    })),
    update: onGroup(changeSubject),
    remove: onGroup((number, group) => {
      groups.remove(number, group)
      return requested(newRequest())
    }),
    inviteLink: onGroup((_, { id }) => ({
      messaging_product: "whatsapp",
      invite_link: `https://chat.whatsapp.com/${id}`
    })),
    joinRequests: onGroup(() => ({ data: [], paging: { cursors: {} } })),
    removeParticipants: onGroup(removeParticipants),
    isGroup: (id: string) => world.groups.has(id)
  }
}
export type GroupCalls = ReturnType<typeof makeGroupCalls>
