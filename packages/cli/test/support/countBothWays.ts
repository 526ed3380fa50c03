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

interface Overview {
  readonly current: {
    readonly conversations: Readonly<Record<"opened" | "resolved" | "open" | "waiting", number>>
    readonly messages: { readonly inbound: { readonly total: number }; readonly outbound: { readonly total: number } }
  }
}

/** Reads so often at most: what is counted is a moment behind what happens. */
const mostReads = 200

const accepted: ReadonlySet<string | null> = new Set(["sent", "delivered", "read"])

/** What a new organization has done: counted by hand from its lists, and as its overview says, once both agree or never do. */
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
    const byHand = {
      opened: conversations.length,
      resolved: having("resolved"),
      open: having("open"),
      waiting: conversations.filter(({ waitingSince }) => waitingSince !== null).length,
      inbound: messages.filter(({ direction, kind }) => direction === "inbound" && kind !== "system").length,
      outbound: outbound.length
    }
    const { current } = await read<Overview>("/analytics/overview?period=7d")
    const { open, opened, resolved, waiting } = current.conversations
    const counted = {
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
    if (JSON.stringify(both.byHand) === JSON.stringify(both.counted) || reads === mostReads) return both
  }
}
