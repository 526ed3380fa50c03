interface Page<Row> {
  readonly data: ReadonlyArray<Row>
}

interface Conversation {
  readonly id: string
  readonly status: string
  readonly waitingSince: string | null
}

interface Message {
  readonly direction: string
  readonly kind: string
  readonly status: string | null
}

interface Money {
  readonly amountMinor: number
}

interface Order {
  readonly placedAt: string
  readonly cancelledAt: string | null
  readonly test: boolean
  readonly total: Money
  readonly refunds: ReadonlyArray<{ readonly amount: Money; readonly at: string }>
}

interface Overview {
  readonly period: { readonly from: string }
  readonly current: {
    readonly commerce: {
      readonly orders: number
      readonly revenue: ReadonlyArray<Readonly<Record<"gross" | "refunded" | "net", Money>>>
    }
    readonly conversations: Readonly<Record<"opened" | "resolved" | "open" | "waiting", number>>
    readonly messages: { readonly inbound: { readonly total: number }; readonly outbound: { readonly total: number } }
  }
}

/** Maximum number of reads, because the counts lag slightly behind the events. */
const mostReads = 200

const accepted: ReadonlySet<string | null> = new Set(["sent", "delivered", "read"])

const sumOf = (amounts: ReadonlyArray<Money>) => amounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

/** Order totals from a time on, for shops that have not edited any order. */
const countOrders = (orders: ReadonlyArray<Order>, from: string) => {
  const real = orders.filter(({ test }) => !test)
  const placed = real.filter(({ placedAt }) => placedAt >= from)
  const refunds = real.flatMap(({ cancelledAt, refunds: received, total }) => {
    const rest = total.amountMinor - sumOf(received.map(({ amount }) => amount))
    const left = cancelledAt === null ? [] : [{ amount: { amountMinor: Math.max(0, rest) }, at: cancelledAt }]
    return [...received, ...left].filter(({ at }) => at >= from).map(({ amount }) => amount)
  })
  const [gross, refunded] = [sumOf(placed.map(({ total }) => total)), sumOf(refunds)]
  return { orders: placed.length, gross, refunded, net: gross - refunded }
}

/** Activity of a new organization: counted from its lists and from its overview, after both agree or time out. */
export const countBothWays = async (
  address: string,
  credentials: { readonly email: string; readonly password: string }
) => {
  const login = await fetch(`${address}/api/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(credentials)
  })
  const { accessToken, organizations } = (await login.json()) as {
    readonly accessToken: string
    readonly organizations: ReadonlyArray<{ readonly id: string }>
  }
  const headers = { authorization: `Bearer ${accessToken}`, "x-organization-id": organizations[0]?.id ?? "" }
  const read = async <Answer>(path: string) =>
    (await (await fetch(`${address}/api/v1${path}`, { headers })).json()) as Answer
  const count = async () => {
    const conversations = (await read<Page<Conversation>>("/conversations?limit=100")).data
    const messages: Array<Message> = []
    for (const { id } of conversations) {
      messages.push(...(await read<Page<Message>>(`/conversations/${id}/messages?limit=100`)).data)
    }
    const having = (status: string) => conversations.filter((each) => each.status === status).length
    const outbound = messages.filter(({ direction, status }) => direction === "outbound" && accepted.has(status))
    const { current, period } = await read<Overview>("/analytics/overview?period=30d")
    const orders = (await read<Page<Order>>("/commerce/orders?limit=100")).data
    const byHand = {
      ...countOrders(orders, period.from),
      opened: conversations.length,
      resolved: having("resolved"),
      open: having("open"),
      waiting: conversations.filter(({ waitingSince }) => waitingSince !== null).length,
      inbound: messages.filter(({ direction, kind }) => direction === "inbound" && kind !== "system").length,
      outbound: outbound.length
    }
    const { open, opened, resolved, waiting } = current.conversations
    const [revenue] = current.commerce.revenue
    const counted = {
      orders: current.commerce.orders,
      gross: revenue?.gross.amountMinor,
      refunded: revenue?.refunded.amountMinor,
      net: revenue?.net.amountMinor,
      opened,
      resolved,
      open,
      waiting,
      inbound: current.messages.inbound.total,
      outbound: current.messages.outbound.total
    }
    return { byHand, counted }
  }
  for (let reads = 1; ; reads++) {
    const both = await count()
    const agree = JSON.stringify(both.byHand) === JSON.stringify(both.counted)
    // The store is read for the first time after the organization exists.
    if ((agree && both.byHand.orders > 0) || reads === mostReads) return both
  }
}
