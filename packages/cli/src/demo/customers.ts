import { Clock, Duration, Effect } from "effect"

/** A customer of Acme in the demo. */
export interface DemoCustomer {
  readonly name: string
  readonly phone: string
  readonly email: string | null
  readonly locale: string
  readonly city: string
  readonly tags: ReadonlyArray<DemoTag>
  readonly marketing: "subscribed" | "unsubscribed" | "unknown"
  /** Age of the contact, in days. */
  readonly days: number
}

export const demoTags = { vip: "VIP", wholesale: "Wholesale", returns: "Returns often" } as const
export type DemoTag = keyof typeof demoTags

/** Customer who writes first in a new demo. */
export const carla = { phone: "+4915123456789", name: "Carla Customer" } as const

const customer = (
  name: string,
  phone: string,
  city: string,
  locale: string,
  days: number,
  { email = null, marketing = "unknown", tags = [] }: Partial<Pick<DemoCustomer, "email" | "marketing" | "tags">> = {}
): DemoCustomer => ({ name, phone, city, locale, days, email, marketing, tags })

/** Customers of Acme. Customers with conversations in the inbox come first. */
export const demoCustomers = {
  ana: customer("Ana Souza", "+5511987654321", "São Paulo", "pt-BR", 210, {
    email: "ana@customers.example",
    marketing: "subscribed",
    tags: ["vip"]
  }),
  jonas: customer("Jonas Weber", "+4915112345678", "Hamburg", "de", 96, {
    email: "jonas@customers.example",
    tags: ["returns"]
  }),
  marie: customer("Marie Dubois", "+33612345678", "Lyon", "fr", 41, { marketing: "subscribed" }),
  omar: customer("Omar Haddad", "+971501234567", "Dubai", "en", 12, { email: "omar@customers.example" }),
  priya: customer("Priya Sharma", "+919812345678", "Pune", "en-IN", 3),
  tom: customer("Tom Baker", "+447400123456", "Leeds", "en-GB", 330, {
    email: "tom@customers.example",
    marketing: "subscribed",
    tags: ["wholesale", "vip"]
  }),
  lucia: customer("Lucía Fernández", "+34612345678", "Sevilla", "es", 150, { marketing: "subscribed" }),
  kenji: customer("Kenji Tanaka", "+819012345678", "Osaka", "ja", 77, { email: "kenji@customers.example" }),
  grace: customer("Grace Okafor", "+2348021234567", "Lagos", "en", 260, {
    email: "grace@customers.example",
    marketing: "unsubscribed"
  }),
  emma: customer("Emma Johansson", "+46701234567", "Malmö", "sv", 58, { tags: ["wholesale"] }),
  luca: customer("Luca Rossi", "+393123456789", "Torino", "it", 19, { marketing: "subscribed" })
} as const satisfies Readonly<Record<string, DemoCustomer>>
export type CustomerKey = keyof typeof demoCustomers

/** Runs an effect with the clock set back by a duration. */
export const earlier =
  (ago: Duration.Input) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const millis = Duration.toMillis(ago)
    return Effect.updateService(effect, Clock.Clock, (clock): Clock.Clock => {
      const currentTimeMillisUnsafe = () => clock.currentTimeMillisUnsafe() - millis
      const currentTimeNanosUnsafe = () => clock.currentTimeNanosUnsafe() - BigInt(Math.trunc(millis)) * 1_000_000n
      return {
        currentTimeMillisUnsafe,
        currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
        currentTimeNanosUnsafe,
        currentTimeNanos: Effect.sync(currentTimeNanosUnsafe),
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        sleep: (duration) => clock.sleep(duration)
      }
    })
  }
