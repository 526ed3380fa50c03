import { DateTime, Effect } from "effect"
import type { PluginCaller } from "../../../integrations/plugins/index.ts"
import { Ids, originOf } from "../../../kernel/index.ts"
import { Lanes, type TaskName } from "../../../platform/background/index.ts"
import type { ActionOf } from "../actions/Action.ts"
import { HttpCallId, type HttpCallRequest, HttpCalls, type StoredHttpCall } from "./HttpCall.ts"
import { checkRenderedUrl, requireSubscription } from "./httpTargets.ts"

/** Name of the background task for HTTP requests of actions. Each origin has a lane. */
export const httpCallTaskName: TaskName = "http calls"

const defaultTimeoutSeconds = 10

const toRequest = (action: ActionOf<"http_request">): HttpCallRequest => ({
  method: action.method,
  url: action.url,
  headers: action.headers ?? {},
  body: action.body === undefined ? null : { json: action.body },
  timeoutSeconds: action.timeoutSeconds ?? defaultTimeoutSeconds,
  webhookSubscriptionId: action.webhookSubscriptionId ?? null
})

/** Caller of a request. `key` is `run:step:visit`: equal keys name the same call. */
export interface HttpCaller {
  readonly caller: PluginCaller
  readonly runId: string
  readonly key: string
  readonly contactId: string
}

/** Starts an HTTP request in the current unit of work. Requests with equal keys are deduplicated. Listeners receive the result when it ends. */
export const startHttpCall = Effect.fnUntraced(function* (action: ActionOf<"http_request">, caller: HttpCaller) {
  const { url, webhookSubscriptionId } = action
  yield* checkRenderedUrl(url)
  if (webhookSubscriptionId !== undefined) yield* requireSubscription(webhookSubscriptionId, url)
  const at = yield* DateTime.now
  const origin = originOf(url)
  const call: StoredHttpCall = {
    ...caller,
    id: HttpCallId.make(yield* (yield* Ids).derived(caller.runId, caller.key)),
    origin,
    request: toRequest(action),
    state: "pending",
    output: null,
    error: null,
    tries: 0,
    dueAt: at,
    at
  }
  if (yield* (yield* HttpCalls).add(call)) {
    yield* (yield* Lanes).open({ task: httpCallTaskName, key: origin, priority: "bulk", dueAt: at })
  }
  return call.id
})
