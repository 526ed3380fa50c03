import { Effect } from "effect"
import type { Timeline } from "../../Timeline.ts"
import { type Fields, objectAt, oneOf, refuse, Refused, textAt } from "../checks.ts"
import { type Refusal, refusal } from "../failures.ts"
import { callActions, callRefusal } from "../inbound/callLimits.ts"
import type { Script } from "../Misbehaviour.ts"
import type { SimulatedNumber } from "../Options.ts"
import type { Simulation } from "../Simulation.ts"
import type { World } from "../World.ts"
import { isRegistered } from "../world/NumberState.ts"
import type { Access } from "./access.ts"
import {
  bodyOf,
  type Call,
  type Handler,
  parametersOf,
  type Response,
  scripted,
  type Scripted,
  success
} from "./Call.ts"
import { requireProduct } from "./registration.ts"

const day = 24 * 3_600_000

const recipientsIn = (payload: unknown): ReadonlyArray<string> =>
  typeof payload === "object" && payload !== null
    ? ["to", "recipient"].flatMap((key) => {
        const value: unknown = Reflect.get(payload, key)
        return typeof value === "string" ? [value, value.replace(/^\+/u, "")] : []
      })
    : []

const fieldOf = (payload: unknown, name: string): unknown =>
  typeof payload === "object" && payload !== null ? Reflect.get(payload, name) : undefined

/** Messages, read marks and the synchronization of coexistence numbers. */
export const makeMessages = (
  world: World,
  timeline: Timeline,
  simulation: Simulation,
  script: Script,
  access: Access,
  inKind: Scripted
) => {
  const markRead = (payload: unknown): object | Refusal => {
    const id = fieldOf(payload, "message_id")
    const typing = fieldOf(payload, "typing_indicator")
    if (typing !== undefined) oneOf(fieldOf(typing, "type"), "typing_indicator.type", ["text"])
    return typeof id === "string" && world.messageIds.has(id)
      ? success
      : refusal(131_009, "The message to mark does not exist.")
  }

  const requireMessaging = (call: Call): SimulatedNumber => {
    const number = access.requireNumber(call)
    access.requireScope(access.tokenFor(call), "whatsapp_business_messaging")
    return number
  }

  const post = (api: "cloud" | "marketing"): Handler =>
    Effect.fnUntraced(function* (call: Call) {
      const number = requireMessaging(call)
      const payload = yield* bodyOf(call)
      if (fieldOf(payload, "status") === "read") {
        return yield* scripted(call.request, script.take("messages", []), () => markRead(payload))
      }
      const fault = script.take("messages", recipientsIn(payload))
      simulation.sending.noteCall(number, payload, fault)
      const send = (what: typeof fault) => simulation.sending.send(number, payload, what, api)
      return yield* scripted(call.request, fault, send)
    })

  const synchronize = (number: SimulatedNumber, fields: Fields): object => {
    const state = world.stateOf(number)
    requireProduct(fields)
    const kind = oneOf(fields["sync_type"], "sync_type", ["smb_app_state_sync", "history"])
    if (!state.isOnBizApp) refuse(100, "Only numbers of the WhatsApp Business app can be synchronized.")
    if (state.syncs.has(kind)) refuse(2_593_107, "The synchronization was already requested.")
    if (timeline.now() - state.onboardedAt > day)
      refuse(2_593_108, "The synchronization must be requested within 24 hours.")
    state.syncs.add(kind)
    return { messaging_product: "whatsapp", request_id: `sync${world.next()}` }
  }

  const call = (number: SimulatedNumber, fields: Fields): object => {
    requireProduct(fields)
    if (!isRegistered(world.stateOf(number))) refuse(133_010, "The phone number is not registered.")
    const action = oneOf(fields["action"], "action", ["connect", "pre_accept", "accept", "reject", "terminate"])
    if (action !== "connect") {
      textAt(fields["call_id"], "call_id", 300)
      return success
    }
    objectAt(fields["session"], "session", ["sdp_type", "sdp"])
    const to = textAt(fields["to"], "to", 30)
    const refused = callRefusal(world.findCustomer(to), number, timeline.now())
    if (refused !== null) throw new Refused(refused)
    return {
      messaging_product: "whatsapp",
      calls: [{ id: `wacid.${Buffer.from(`SIM${world.next()}`).toString("base64url")}` }]
    }
  }

  const permissions = (number: SimulatedNumber, query: URLSearchParams): object => {
    const customer = world.findCustomer(query.get("user_wa_id") ?? "")
    const status = customer?.callPermission ?? "no_permission"
    const expiration = Math.floor((timeline.now() + 7 * day) / 1_000)
    return {
      messaging_product: "whatsapp",
      permission: { status, ...(status === "temporary" ? { expiration_time: expiration } : {}) },
      actions: customer === undefined ? [] : callActions(customer, number, timeline.now())
    }
  }

  const onNumber =
    (perform: (number: SimulatedNumber, fields: Fields, call: Call) => object): Handler =>
    (call: Call): Effect.Effect<Response> =>
      Effect.gen(function* () {
        const number = requireMessaging(call)
        const fields = yield* parametersOf(call)
        return yield* inKind("settings", call, () => perform(number, fields, call))
      })

  return {
    send: post("cloud"),
    sendMarketing: post("marketing"),
    synchronize: onNumber(synchronize),
    call: onNumber(call),
    callPermissions: onNumber((number, _, { query }) => permissions(number, query))
  }
}
export type Messages = ReturnType<typeof makeMessages>
