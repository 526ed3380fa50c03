/** Template of the public library. */
export interface LibraryTemplate {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly category: "UTILITY" | "AUTHENTICATION"
  readonly topic: string
  readonly usecase: string
  readonly industry: ReadonlyArray<string>
  readonly header?: string
  readonly body: string
  readonly body_params: ReadonlyArray<string>
  readonly body_param_types: ReadonlyArray<string>
  readonly buttons: ReadonlyArray<Readonly<Record<string, unknown>>>
}

/** A few templates of the library. */
export const library: ReadonlyArray<LibraryTemplate> = [
  {
    id: "7147013345418927",
    name: "delivery_update_1",
    language: "en_US",
    category: "UTILITY",
    topic: "ORDER_MANAGEMENT",
    usecase: "DELIVERY_UPDATE",
    industry: ["E_COMMERCE"],
    header: "Your order is on its way",
    body: "Good news, {{1}}! Order {{2}} arrives on {{3}}.",
    body_params: ["Jim", "860198", "Jan 1, 2026"],
    body_param_types: ["TEXT", "NUMBER", "DATE"],
    buttons: [{ type: "URL", text: "Track order", url: "https://www.example.com/{{1}}" }]
  },
  {
    id: "7138055039625658",
    name: "payment_reminder_1",
    language: "en_US",
    category: "UTILITY",
    topic: "PAYMENTS",
    usecase: "PAYMENT_DUE_REMINDER",
    industry: ["FINANCIAL_SERVICES"],
    body: "Hi {{1}}, your payment of {{2}} is due on {{3}}. Thank you for your business.",
    body_params: ["Jim", "$10.00", "Jan 1, 2027"],
    body_param_types: ["TEXT", "AMOUNT", "DATE"],
    buttons: [{ type: "PHONE_NUMBER", text: "Call us", phone_number: "+18005551234" }]
  },
  {
    id: "7120433221098765",
    name: "address_update_1",
    language: "en_US",
    category: "UTILITY",
    topic: "ACCOUNT_UPDATES",
    usecase: "ADDRESS_UPDATE",
    industry: ["E_COMMERCE", "FINANCIAL_SERVICES"],
    header: "Address update",
    body: "Hi {{1}}, your delivery address was changed to {{2}}. Contact us if you did not make this change.",
    body_params: ["Jim", "1 Hacker Way, Menlo Park, CA 94025"],
    body_param_types: ["TEXT", "ADDRESS"],
    buttons: []
  }
]

const matches = (value: string | ReadonlyArray<string>, wanted: string | null) =>
  wanted === null || [value].flat().some((each) => each.toLowerCase() === wanted.toLowerCase())

/** Templates of the library that match a query. */
export const searchLibrary = (query: URLSearchParams): ReadonlyArray<LibraryTemplate> =>
  library.filter((template) => {
    const search = query.get("search")?.toLowerCase() ?? query.get("name")?.toLowerCase() ?? ""
    return (
      `${template.name} ${template.body}`.toLowerCase().includes(search) &&
      matches(template.topic, query.get("topic")) &&
      matches(template.usecase, query.get("usecase")) &&
      matches(template.industry, query.get("industry")) &&
      matches(template.language, query.get("language"))
    )
  })

const patterns: Readonly<Record<string, RegExp>> = {
  AMOUNT: /\d/u,
  DATE: /\d|today|tomorrow|day/iu,
  "PHONE NUMBER": /^[+\d() -]{5,}$/u,
  EMAIL: /^\S+@\S+\.\S+$/u,
  NUMBER: /^[\d.,]+$/u,
  ADDRESS: /\w/u,
  TEXT: /\S/u
}

/** Whether a parameter value has the type that the library asks for. */
export const fitsLibraryType = (type: string, value: string): boolean => patterns[type]?.test(value) ?? true
