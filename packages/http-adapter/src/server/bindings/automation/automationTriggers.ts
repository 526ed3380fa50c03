import { triggerAutomation, TriggerCallId, TriggerReceipt } from "@parley/domain/automation"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { AutomationTriggersApi } from "../../../api/automations.ts"
import { PayloadTooLarge } from "../../../api/problems.ts"
import { contact } from "../../examples/samples.ts"
import { bindWith } from "../bind.ts"

const maxBytes = 64 * 1024

/** Text of the body, which the signature covers. */
const readText = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const text = yield* Effect.catchTag(request.text, "HttpServerError", Effect.die)
  return Buffer.byteLength(text) > maxBytes ? yield* new PayloadTooLarge({ max: maxBytes }) : text
})

export const automationTriggers = bindWith(
  AutomationTriggersApi,
  {
    trigger: {
      uses: triggerAutomation,
      request: { contact: { phone: contact.phone ?? "" }, data: { plan: "pro", seats: 5 } },
      response: new TriggerReceipt({
        callId: TriggerCallId.make("01934bc1-5a6b-7c80-8d9e-0f1a2b3c4d5e"),
        ignored: null
      })
    }
  },
  (handlers) =>
    handlers.handleAll({
      trigger: Effect.fnUntraced(function* ({ params, payload, request: { headers } }) {
        const text = yield* readText
        return yield* triggerAutomation({ ...payload, ...params, headers, text })
      })
    })
)
