import { Effect } from "effect"
import type { Timeline } from "../../Timeline.ts"
import { type Fields, objectAt, oneOf, refuse, textAt } from "../checks.ts"
import { type Refusal, refusal } from "../failures.ts"
import type { Script } from "../Misbehaviour.ts"
import type { SimulatedNumber } from "../Options.ts"
import type { Simulation } from "../Simulation.ts"
import type { World } from "../World.ts"
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
import { makeVoiceCalls } from "./calls.ts"
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

/** Messages, read marks, calls and the synchronization of coexistence numbers. */
export const makeMessages = (
  world: World,
  timeline: Timeline,
  simulation: Simulation,
  script: Script,
  access: Access,
  inKind: Scripted
) => {
  const markRead = (payload: unknown): object | Refusal => {
    const fields = objectAt(payload, "request", ["messaging_product", "status", "message_id", "typing_indicator"])
    requireProduct(fields)
    const typing = fields["typing_indicator"]
    if (typing !== undefined) oneOf(objectAt(typing, "typing_indicator")["type"], "typing_indicator.type", ["text"])
    return world.messageIds.get(textAt(fields["message_id"], "message_id", 300))?.isInbound === true
      ? success
      : refusal(131_009, "The message to mark is not a message of a customer.")
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

  const onNumber =
    (perform: (number: SimulatedNumber, fields: Fields, call: Call) => object): Handler =>
    (call: Call): Effect.Effect<Response> =>
      Effect.gen(function* () {
        const number = requireMessaging(call)
        const fields = yield* parametersOf(call)
        return yield* inKind("settings", call, () => perform(number, fields, call))
      })

  const voice = makeVoiceCalls(world, timeline)

  return {
    send: post("cloud"),
    sendMarketing: post("marketing"),
    synchronize: onNumber(synchronize),
    call: onNumber(voice.call),
    callPermissions: onNumber((number, _, { query }) => voice.permissions(number, query))
  }
}
export type Messages = ReturnType<typeof makeMessages>
