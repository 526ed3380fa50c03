import { hash } from "node:crypto"
import type { Misbehaviour } from "./Misbehaviour.ts"
import { defaultApp, defaultNumbers, type ChatSimulatorOptions, type SimulatedNumber, type Webhook } from "./Options.ts"
import type { Timeline } from "../Timeline.ts"
import type { PairRate } from "./sending/PairRate.ts"
import type { Traffic } from "./Traffic.ts"
import { type AccountState, makeAccountState } from "./world/AccountState.ts"
import { makeNumberState, type NumberStage, type NumberState } from "./world/NumberState.ts"
import { makeTokens } from "./world/tokens.ts"

/** App user with a phone number, or with only the provider's id. */
export interface Customer {
  phone: string | null
  userId: string
  name: string
  reachable: boolean
  /** Adopted username, without the leading `@`. */
  username: string | null
  parentUserId: string | null
  callPermission: "no_permission" | "temporary" | "permanent"
  /** Ids of the numbers from which this customer stopped marketing. */
  readonly stopped: Set<string>
  /** When the window of a number closes. */
  readonly windows: Map<string, number>
  /** Pace of each number to the customer. */
  readonly paces: Map<string, PairRate>
  /** Free entry points by number: the advertisement, and the end after the first reply of the business. */
  readonly entryPoints: Map<string, { readonly at: number; until: number | null }>
  /** Marketing messages that reached the customer. */
  marketingTimes: ReadonlyArray<number>
  /** Changes when the customer registers again. */
  identityHash: string
  /** Receipt with the price, in addition to `sent`. */
  pricedReceipt: "delivered" | "read"
  isOnline: boolean
  /** Deliveries that wait for the phone. */
  readonly pending: Array<{ readonly expiresAt: number; readonly run: () => void }>
}

/** Group of a number, with the customers in it. */
export interface Group {
  readonly id: string
  readonly phoneId: string
  subject: string
  isSuspended: boolean
  readonly participants: Set<Customer>
}

/** Stored template of a business account. */
export interface KeptTemplate {
  readonly id: string
  readonly businessId: string
  readonly name: string
  readonly language: string
  category: string
  previousCategory: string | null
  correctCategory: string | null
  readonly parameterFormat: "POSITIONAL" | "NAMED"
  components: ReadonlyArray<Readonly<Record<string, unknown>>>
  status: string
  rejectedReason: string
  quality: string
  qualityAt: number
  sendTtlSeconds: number | null
  readonly libraryName: string | null
  readonly createdAt: number
  /** Times of edits while approved. */
  edits: ReadonlyArray<number>
  /** Quality pauses so far: the third disables. */
  pauses: number
  /** Paused by pacing, which only an unpause call ends. */
  isPacingPaused: boolean
}

/** File from an upload or from a message. */
export interface KeptFile {
  readonly id: string
  readonly phoneId: string
  readonly mimeType: string
  readonly filename: string | null
  readonly bytes: Uint8Array
  readonly sha256: string
  /** Uploads are stored for 30 days, files of messages for 7 days. */
  readonly expiresAt: number
}

/** Resumable upload of an app. Its handle can be the example of a template header. */
export interface KeptUpload {
  readonly id: string
  readonly appId: string
  readonly fileName: string
  readonly fileType: string
  readonly fileLength: number
  readonly handle: string
  received: ReadonlyArray<Uint8Array>
  offset: number
}

export interface Flow {
  readonly id: string
  readonly businessId: string
  name: string
  readonly categories: ReadonlyArray<string>
  status: "DRAFT" | "PUBLISHED" | "DEPRECATED"
}

/** Code of a signup, which is exchanged once for a token within 30 seconds. */
export interface SignupCode {
  readonly token: string
  readonly issuedAt: number
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
  readonly groupId: string | null
  /** How long the provider tries to deliver it. */
  readonly ttlMillis: number
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
  readonly at: number
  readonly url: string
  readonly body: string
  readonly signature: string
  attempts: number
  status: number | null
}

/** Everything that the simulated provider stores. */
export const makeWorld = (options: ChatSimulatorOptions, timeline: Timeline) => {
  const app = options.app ?? defaultApp
  const numbers = new Map<string, SimulatedNumber>()
  const states = new Map<string, NumberState>()
  const accounts = new Map<string, AccountState>()
  const tokens = makeTokens(app.appId, timeline.now)
  const customersByPhone = new Map<string, Customer>()
  const customersById = new Map<string, Customer>()
  let count = 0
  const next = () => (count += 1)

  const accountOf = (businessId: string, isSubscribed = true): AccountState => {
    const account = accounts.get(businessId) ?? makeAccountState(businessId, isSubscribed)
    accounts.set(businessId, account)
    return account
  }

  const addNumber = (number: SimulatedNumber, stage: NumberStage = "registered") => {
    numbers.set(number.phoneId, number)
    states.set(number.phoneId, makeNumberState(number, stage, timeline.now()))
    const account = accountOf(number.businessId, stage === "registered")
    account.messagingLimit = number.messagingLimit ?? account.messagingLimit
    if (number.accessToken !== "") tokens.grant(number.accessToken, number.businessId)
  }

  const stateOf = ({ phoneId }: SimulatedNumber): NumberState => {
    const state = states.get(phoneId)
    if (state === undefined) throw new Error(`The simulator has no number ${phoneId}.`)
    return state
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
      username: null,
      parentUserId: null,
      callPermission: "no_permission",
      stopped: new Set(),
      windows: new Map(),
      paces: new Map(),
      entryPoints: new Map(),
      marketingTimes: [],
      identityHash: hash("sha256", `identity:${number}`, "base64").slice(0, 12),
      pricedReceipt: "delivered",
      isOnline: true,
      pending: []
    }
    customersById.set(customer.userId, customer)
    if (phone !== null) customersByPhone.set(phone, customer)
    return customer
  }

  for (const number of options.numbers ?? defaultNumbers) addNumber(number)

  return {
    app,
    /** Portfolio of the tech provider. */
    partnerId: "700000000000009",
    /** Address of the simulator. */
    origin: "",
    numbers,
    states,
    accounts,
    tokens,
    addNumber,
    stateOf,
    accountOf,
    addCustomer,
    /** By user id, parent user id, or phone number. */
    findCustomer: (key: string) =>
      customersById.get(key) ??
      customersByPhone.get(key.replace(/^\+/u, "")) ??
      (key.includes(".ENT.")
        ? [...customersById.values()].find(({ parentUserId }) => parentUserId === key)
        : undefined),
    /** Gives a customer another phone number or user id. */
    changeCustomer: (customer: Customer, phone: string | null, userId: string) => {
      if (customer.phone !== null) customersByPhone.delete(customer.phone)
      customersById.delete(customer.userId)
      customer.phone = phone
      customer.userId = userId
      customersById.set(userId, customer)
      if (phone !== null) customersByPhone.set(phone, customer)
    },
    next,
    /** The app's webhook, for business accounts without their own. */
    defaultWebhook: (options.webhook ?? null) as Webhook | null,
    /** By business account: the webhook of the customer's own app. */
    webhooks: new Map<string, Webhook>(),
    templates: new Map<string, KeptTemplate>(),
    files: new Map<string, KeptFile>(),
    uploads: new Map<string, KeptUpload>(),
    flows: new Map<string, Flow>(),
    signupCodes: new Map<string, SignupCode>(),
    groups: new Map<string, Group>(),
    /** Ids of messages in both directions. */
    messageIds: new Map<string, { readonly at: number; readonly isReaction: boolean }>(),
    calls: [] as Array<MessageCall>,
    accepted: [] as Array<AcceptedMessage>,
    refused: [] as Array<RefusedMessage>,
    deliveries: [] as Array<SentDelivery>,
    /** When each number has sent or received within the last second. */
    traffic: new Map<string, Traffic>()
  }
}

export type World = ReturnType<typeof makeWorld>
