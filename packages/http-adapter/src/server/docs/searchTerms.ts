import type { GuideSlug } from "./Guides.ts"

/** Terms that people search for and that the title of a guide or section does not contain. */
export const searchTerms: Partial<Readonly<Record<GuideSlug | `${GuideSlug}#${string}`, string>>> = {
  "quick-start": "getting started first steps install setup tutorial hello world",
  "from-typescript": "sdk client library npm node javascript",
  authentication:
    "auth login logon signin sign in log in password jwt bearer access token refresh session logout oauth 401",
  "tenancy-and-roles": "tenant organization header permissions rbac access control",
  "plans-and-limits": "billing plan feature quota entitlements upgrade",
  "automation-tokens": "api key apikey service account machine token bot",
  contacts: "dedupe deduplicate duplicates opt-out optout unsubscribe consent gdpr import csv customers privacy erase",
  "connect-a-number": "whatsapp onboarding phone number embedded signup register number",
  inbox: "24-hour window 24h service window session window reply customer service conversations assign",
  "message-kinds": "send message text image buttons interactive list media attachment",
  templates: "hsm approval template",
  broadcasts: "campaign bulk newsletter mass send schedule",
  "broadcasts#when-it-waits": "quiet hours hrs night silent do not disturb",
  stores: "shopify orders carts ecommerce shop",
  analytics: "statistics reports metrics charts response time",
  "business-hours": "opening hours schedule away auto reply out of office assignment round robin",
  simulator: "sandbox test mock fake",
  errors: "problem json error codes status validation retry rfc 9457",
  "errors#validation-errors": "json pointer validation_failed invalid field 400",
  pagination: "paging cursor page next limit list all",
  idempotency: "idempotent idempotency key retry safely dedupe deduplicate duplicate request",
  concurrency: "etag if-match version conflict optimistic locking",
  "rate-limits": "rate limit limiting throttle throttling 429 too many requests quota retry-after",
  webhooks: "webhook signature verify hmac secret event feed subscribe events sse stream",
  automations: "rules triggers if then",
  workflows: "flow graph journey drip steps",
  plugins: "app extension manifest integration",
  "webhook-channel": "custom channel own provider sms email telegram"
}
