import type { Misbehaviour } from "./Misbehaviour.ts"
import { defaultApp, defaultNumbers, type ChatSimulatorOptions, type SimulatedNumber, type Webhook } from "./Options.ts"
import type { Traffic } from "./Traffic.ts"

/** App user with a phone number, or with only the provider's id. */
export interface Customer {
  readonly phone: string | null
  readonly userId: string
  name: string
  reachable: boolean
  /** Ids of the numbers from which this customer stopped marketing. */
  readonly stopped: Set<string>
  /** When the window of a number closes. */
  readonly windows: Map<string, number>
  /** When a number has written last. */
  readonly writtenAt: Map<string, number>
}

/** Stored template of a business account. */
export interface KeptTemplate {
  readonly id: string
  readonly businessId: string
  readonly name: string
  readonly language: string
  category: string
  readonly parameterFormat: "POSITIONAL" | "NAMED"
  readonly components: ReadonlyArray<unknown>
  status: string
  rejectedReason: string
  quality: string
}

/** File from an upload or from a message. */
export interface KeptFile {
  readonly id: string
  readonly phoneId: string
  readonly mimeType: string
  readonly filename: string | null
  readonly bytes: Uint8Array
  readonly sha256: string
}

/** Call that submits a message, with its scripted outcome. */
export interface MessageCall {
  readonly at: number
  readonly phoneId: string
  readonly reference: string | null
  readonly scripted: Misbehaviour["what"] | null
}

/** An accepted message: tests look here for sent messages. */
export interface AcceptedMessage {
  readonly id: string
  readonly at: number
  readonly phoneId: string
  readonly businessId: string
  readonly to: string
  readonly type: string
  readonly reference: string | null
  readonly payload: unknown
}

/** A call that was refused. */
export interface RefusedMessage {
  readonly at: number
  readonly phoneId: string
  readonly code: number
  readonly details: string
  readonly payload: unknown
}

/** A delivery with its last answer. */
export interface SentDelivery {
  readonly id: number
  readonly url: string
  readonly body: string
  readonly signature: string
  attempts: number
  status: number | null
}

/** Everything that the simulated provider keeps. */
export const makeWorld = (options: ChatSimulatorOptions) => {
  const numbers = new Map<string, SimulatedNumber>()
  const tokens = new Map<string, Set<string>>()
  const customersByPhone = new Map<string, Customer>()
  const customersById = new Map<string, Customer>()
  let count = 0
  const next = () => (count += 1)

  const grant = (token: string, businessId: string) => {
    const businesses = tokens.get(token) ?? new Set<string>()
    businesses.add(businessId)
    tokens.set(token, businesses)
  }

  const addNumber = (number: SimulatedNumber) => {
    numbers.set(number.phoneId, number)
    grant(number.accessToken, number.businessId)
  }

  const addCustomer = (phone: string | null, name?: string): Customer => {
    const known = phone === null ? undefined : customersByPhone.get(phone)
    if (known !== undefined) {
      known.name = name ?? known.name
      return known
    }
    const number = next()
    const customer: Customer = {
      phone,
      userId: `US.${String(10_000_000_000_000 + number)}`,
      name: name ?? `Customer ${number}`,
      reachable: true,
      stopped: new Set(),
      windows: new Map(),
      writtenAt: new Map()
    }
    customersById.set(customer.userId, customer)
    if (phone !== null) customersByPhone.set(phone, customer)
    return customer
  }

  for (const number of options.numbers ?? defaultNumbers) addNumber(number)

  return {
    app: options.app ?? defaultApp,
    numbers,
    tokens,
    grant,
    addNumber,
    addCustomer,
    findCustomer: (key: string) => customersById.get(key) ?? customersByPhone.get(key.replace(/^\+/u, "")),
    next,
    /** By business account. */
    webhooks: new Map<string, Webhook>(),
    subscribed: new Set<string>(),
    templates: new Map<string, KeptTemplate>(),
    files: new Map<string, KeptFile>(),
    /** Codes of signups, each good once, and the token that it is exchanged for. */
    signupCodes: new Map<string, string>(),
    messageIds: new Set<string>(),
    calls: [] as Array<MessageCall>,
    accepted: [] as Array<AcceptedMessage>,
    refused: [] as Array<RefusedMessage>,
    deliveries: [] as Array<SentDelivery>,
    /** When each number has sent or received within the last second. */
    traffic: new Map<string, Traffic>()
  }
}

export type World = ReturnType<typeof makeWorld>
