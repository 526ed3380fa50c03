import type { RunningChatSimulator } from "@parley/simulators/chat"
import { Effect } from "effect"
import { at, valuesOf } from "../harness.ts"
import { createTemplate, fact, type Request } from "./grounds.ts"
import {
  type Preparation,
  type Prepared,
  askForCalls,
  before,
  compared,
  enableCalls,
  flow,
  group,
  insights,
  joinRequest,
  listedTemplates,
  marketing,
  media,
  nothing,
  official,
  oneTemplate,
  permitCalls,
  qrCode,
  saveProfile,
  secondPage,
  siblings,
  stage,
  unpausable,
  uploadSession,
  verifiableCode,
  wallOf,
  withTemplate
} from "./preparations.ts"

export type { Prepared } from "./preparations.ts"

const byName: Readonly<Record<string, Preparation>> = {
  "change-pin": nothing,
  "compare-templates": compared,
  "delete-media": media,
  "get-media": media,
  "delete-qr-code": qrCode,
  "update-qr-code": qrCode,
  "list-qr-codes": qrCode,
  "delete-template-by-id": oneTemplate,
  "delete-template-by-name": oneTemplate,
  "delete-username": before(`/${fact.phoneId}/username`, { username: "lucky.shrub" }),
  "get-username": before(`/${fact.phoneId}/username`, { username: "lucky.shrub" }),
  "publish-flow": flow(false),
  "deprecate-flow": flow(true),
  "edit-template": oneTemplate,
  "edit-template-ttl": oneTemplate,
  "edit-template-category": withTemplate("order_confirmation", {}, "REJECTED"),
  "archive-templates": oneTemplate,
  "unarchive-templates": oneTemplate,
  "exchange-code": (provider, { query }) =>
    Effect.sync(() => {
      provider.addSignupCode(query?.["code"] ?? "", fact.businessId, "EAAsigned")
      return {}
    }),
  "get-conversational-automation": before(`/${fact.phoneId}/conversational_automation`, {
    enable_welcome_message: true,
    prompts: ["Book a flight"],
    commands: [{ command_name: "tickets", command_description: "Book flight tickets" }]
  }),
  "get-profile": saveProfile,
  "get-template": withTemplate("image_header", { message_send_ttl_seconds: 43_200 }),
  "get-template-health": withTemplate("order_confirmation", {}, "PENDING"),
  "get-template-analytics": insights,
  "migrate-templates": siblings,
  "get-upload-offset": uploadSession(125),
  "upload-bytes": uploadSession(27),
  "list-blocked-users": wallOf,
  "unblock-users": wallOf,
  "list-templates": listedTemplates,
  "list-templates-by-status": listedTemplates,
  "list-templates-next-page": secondPage,
  "list-subscribed-apps": (provider) =>
    Effect.sync(() => {
      provider.act({ act: "set_override", businessId: fact.businessId, url: "https://hooks.luckyshrub.com/whatsapp" })
      return {}
    }),
  "register-number": stage("verified"),
  "register-number-local-storage": stage("verified"),
  "create-group": official,
  "create-group-approval": official,
  "list-join-requests": joinRequest,
  "approve-join-requests": joinRequest,
  "reject-join-requests": joinRequest,
  "get-group": group,
  "list-groups": group,
  "reset-group-link": group,
  "remove-group-participants": group,
  "send-text-group": group,
  "send-pin": group,
  "send-unpin": group,
  "request-code-sms": stage("unverified"),
  "request-code-voice": stage("unverified"),
  "verify-code": verifiableCode,
  "accept-call": enableCalls,
  "pre-accept-call": enableCalls,
  "reject-call": enableCalls,
  "terminate-call": enableCalls,
  "start-call": permitCalls,
  "start-call-user-id": permitCalls,
  "get-call-permissions": permitCalls,
  "get-call-permissions-user-id": permitCalls,
  "send-call-permission-request": enableCalls,
  "send-template-call-permission": askForCalls,
  "sync-contacts": stage("coexistence"),
  "sync-history": stage("coexistence"),
  "send-template-gif-header": (provider, sent) =>
    Effect.andThen(createTemplate(provider, "gif_header"), marketing(provider, sent)),
  "send-marketing-message": marketing,
  "send-marketing-message-strict": marketing,
  // The template of the facts has a header with a variable, which this request does not fill.
  "send-template-currency-and-date": withTemplate("positional", {
    components: [
      {
        type: "BODY",
        text: "Thanks, {{1}} is due on {{2}} at noon.",
        example: { body_text: [["$100.99", "February 25, 2026"]] }
      }
    ]
  }),
  "unpause-template": unpausable
}

/** Creates the objects that a request names. */
export const prepare = Effect.fnUntraced(function* (provider: RunningChatSimulator, url: string, sent: Request) {
  const template = at(sent.body, "template", "name")
  const prepared = yield* (byName[sent.name] ?? nothing)(provider, sent)
  if (typeof template === "string" && byName[sent.name] === undefined) yield* createTemplate(provider, template)
  const message = provider.write(fact.phoneId, fact.customer, { type: "text", text: "Hello" })
  const customer = provider.addCustomer(null)
  provider.act({ act: "set_customer", customer, parentUserId: "US.ENT.11815799212886844830" })
  provider.write(fact.phoneId, customer, { type: "text", text: "Hello" })
  const wamids = Array.from(JSON.stringify(sent.body ?? null).matchAll(/wamid\.[\w+/=]+/gu), ([id]) => [id, message])
  return {
    path: {
      phone_number_id: fact.phoneId,
      waba_id: fact.businessId,
      app_id: fact.app.appId,
      business_id: "700000000000009",
      ...prepared.path
    },
    texts: new Map<string, string>([
      ...wamids.map(([id = "", own = ""]) => [id, own] as const),
      ["US.13491208655302741918", String(at(valuesOf(provider, "messages")[0], "contacts", 0, "user_id"))],
      ["https://hooks.luckyshrub.com/whatsapp", url],
      ["https://hooks.luckyshrub.com/number", url],
      ["vt-7Qe2", "verify me"],
      ...(prepared.texts ?? [])
    ])
  } satisfies Prepared
})
