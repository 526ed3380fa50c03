import { defaultApp, type SimulatedNumber, startChatSimulator } from "@parley/simulators/chat"
import {
  connectChatAccount,
  connectThroughPlatformApp,
  CurrentActor,
  CurrentOrganization,
  OrganizationId
} from "@parley/domain"
import { Effect, Redacted } from "effect"
import { organizationIdAt } from "../tenants/seededIds.ts"
import type { ChatGrounds } from "../tenants/ports.ts"

/** A number of an organization at the provider, with the secret that signs its deliveries. */
export interface Line extends SimulatedNumber {
  readonly organizationId: string
  readonly appSecret: string
  /** URL of its deliveries. */
  readonly path: string
}

const digits = (first: number, place: number) => `${first}${String(place).padStart(14, "0")}`

/** The number of the organization at this place through its own app. */
export const ownLine = (place: number): Line => ({
  organizationId: organizationIdAt(place),
  phoneId: digits(2, place),
  businessId: digits(1, place),
  displayPhone: `1555010${String(place).padStart(4, "0")}`,
  accessToken: `own-token-${place}`,
  appSecret: `own-app-secret-of-organization-${place}`,
  path: `/webhooks/chat/${organizationIdAt(place)}`
})

/** The number of the organization at this place through the platform app. */
export const platformLine = (place: number): Line => ({
  organizationId: organizationIdAt(place),
  phoneId: digits(4, place),
  businessId: digits(3, place),
  displayPhone: `1555020${String(place).padStart(4, "0")}`,
  accessToken: `platform-token-${place}`,
  appSecret: defaultApp.appSecret,
  path: "/webhooks/chat"
})

/** Starts the provider with these numbers at full speed: it causes no delay and sends no automatic receipts. */
export const startProvider = Effect.fnUntraced(function* (lines: ReadonlyArray<Line>) {
  const simulator = yield* startChatSimulator({
    numbers: lines,
    app: defaultApp,
    throughputPerSecond: Number.MAX_SAFE_INTEGER,
    pairMillis: 0
  })
  const chat: ChatGrounds = { url: simulator.url, ...defaultApp }
  return { simulator, chat }
})

export type Provider = Effect.Success<ReturnType<typeof startProvider>>

const connect = Effect.fnUntraced(function* ({ simulator }: Provider, line: Line) {
  const { accessToken, appSecret, businessId: externalAccountId, phoneId: externalPhoneId } = line
  const number = { externalAccountId, externalPhoneId }
  if (line.path.includes(line.organizationId)) {
    return yield* connectChatAccount({
      ...number,
      accessToken: Redacted.make(accessToken),
      appSecret: Redacted.make(appSecret)
    })
  }
  simulator.addSignupCode(`code-${externalPhoneId}`, externalAccountId, accessToken)
  return yield* connectThroughPlatformApp({ ...number, code: Redacted.make(`code-${externalPhoneId}`) })
})

/** The organizations connect these numbers. Returns their accounts. */
export const connectLines = (provider: Provider, lines: ReadonlyArray<Line>) =>
  Effect.forEach(lines, (line) =>
    Effect.map(
      connect(provider, line).pipe(
        Effect.provideService(CurrentOrganization, { id: OrganizationId.make(line.organizationId) }),
        Effect.provideService(CurrentActor, { kind: "operator", name: "bench" })
      ),
      ({ id }) => ({ ...line, chatAccountId: id as string })
    )
  )

/** A connected number. */
export interface ConnectedLine extends Line {
  readonly chatAccountId: string
}
