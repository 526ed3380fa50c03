import { Effect } from "effect"
import { outboundUrlIssue, validateHeaderNames, WebhookSubscriptions } from "../../../integrations/webhooks/index.ts"
import { invalid, NotFound, originOf, type ValidationIssue } from "../../../kernel/index.ts"
import { type ActionOf, hasLiquid } from "../actions/Action.ts"
import { ActionRefused } from "../actions/errors.ts"

/** Scheme, host and port, before the path or the query. */
const fixedOrigin = /^[a-z]+:\/\/[^/?#{}\s]+(?=[/?])/iu

const liquidPart = /\{\{.*?\}\}|\{%.*?%\}/gsu

const fixedOriginMessage = "Expected a fixed scheme, host and port. Liquid can be in the path and in the query"

/** Values are encoded already, and this filter would encode them twice. */
const encodesTwice = (source: string): boolean =>
  (source.match(liquidPart) ?? []).some((part) => /\|\s*url_encode\b/u.test(part))

const urlIssueOf = Effect.fnUntraced(function* (source: string) {
  if (!hasLiquid(source)) return yield* outboundUrlIssue(source)
  if (!fixedOrigin.test(source)) return fixedOriginMessage
  if (encodesTwice(source)) return "Expected no filter url_encode: values in a URL are encoded automatically"
  return yield* outboundUrlIssue(source.replaceAll(liquidPart, "x"))
})

/** Header names whose values are usually secrets. A definition is readable, so it must not contain them. */
const secretHeader = /^(?:authorization|cookie)$|api-?key|credential|passw|secret|token/iu

const secretHeaderMessage =
  "A definition is readable. Store this header in a webhook subscription, and name it in webhookSubscriptionId"

const headerIssues = ({ headers = {} }: ActionOf<"http_request">): ReadonlyArray<ValidationIssue> => {
  const names = Object.keys(headers)
  return [
    ...validateHeaderNames(names),
    ...names.flatMap((name) => {
      const pointer = `/headers/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`
      if (name.toLowerCase() === "idempotency-key") return [{ pointer, message: "This header cannot be chosen" }]
      return secretHeader.test(name) ? [{ pointer, message: secretHeaderMessage }] : []
    })
  ]
}

const differsMessage = "Expected the scheme, host and port of the webhook subscription"

/** Finds problems of the URL, the headers and the webhook subscription of a request. */
export const validateHttpRequest = Effect.fnUntraced(function* (action: ActionOf<"http_request">, pointer: string) {
  const { body, method, url, webhookSubscriptionId } = action
  const message = yield* urlIssueOf(url)
  const issues: Array<ValidationIssue> = message === null ? [] : [{ pointer: "/url", message }]
  issues.push(...headerIssues(action))
  if (method === "GET" && body !== undefined) issues.push({ pointer: "/body", message: "Expected no body for GET" })
  if (webhookSubscriptionId !== undefined) {
    const kept = yield* (yield* WebhookSubscriptions).find(webhookSubscriptionId)
    if (kept === null || kept.feature !== null) {
      issues.push({ pointer: "/webhookSubscriptionId", message: "There is no webhook subscription with this id" })
    } else if (message === null && originOf(kept.subscription.url) !== originOf(url.replaceAll(liquidPart, "x"))) {
      issues.push({ pointer: "/url", message: differsMessage })
    }
  }
  return issues.map((issue) => ({ ...issue, pointer: `${pointer}${issue.pointer}` }))
})

/** A path segment that parsers remove together with the segment before it. */
const isDotSegment = (segment: string): boolean => /^(?:\.|%2e){1,2}$/iu.test(segment)

const pathOf = (url: string): string => /^[^?#]*/u.exec(url.replace(/^[a-z]+:\/\/[^/?#]*/iu, ""))?.[0] ?? ""

/** Fails if a rendered URL is not valid, or a value changes its path. */
export const checkRenderedUrl = Effect.fnUntraced(function* (url: string) {
  const issue = yield* outboundUrlIssue(url)
  if (issue !== null) return yield* invalid("/url", issue)
  if (pathOf(url).split("/").some(isDotSegment)) return yield* invalid("/url", "Expected no path segment . or ..")
})

/** The enabled webhook subscription of a request. Its secrets are bound to its scheme, host and port. */
export const requireSubscription = Effect.fnUntraced(function* (
  id: ActionOf<"call_webhook">["webhookSubscriptionId"],
  url: string
) {
  const kept = yield* (yield* WebhookSubscriptions).find(id)
  if (kept === null || kept.feature !== null) return yield* new NotFound({ resource: "webhook subscription" })
  if (kept.subscription.status === "disabled") return yield* new ActionRefused({ reason: "webhook_disabled" })
  if (originOf(kept.subscription.url) !== originOf(url))
    return yield* new ActionRefused({ reason: "webhook_url_differs" })
  return kept
})
