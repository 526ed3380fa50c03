import { GraphQLError } from "graphql"
import { gid } from "./nodes.ts"
import { has, scopeOfTopic } from "./scopes.ts"
import type { Installation, Shop, World } from "./World.ts"

/** Arguments of a list. */
export interface Page {
  readonly after?: string | null
  readonly first?: number | null
  readonly query?: string | null
  readonly sortKey?: string
}

interface Created {
  readonly topic: string
  readonly webhookSubscription: {
    readonly uri?: string | null
    readonly name?: string | null
    readonly format?: string | null
  }
}

const nameForm = /^[\w-]{1,50}$/u

/** Webhook subscriptions of an app in a shop. */
export const subscriptionRoots = (world: World, shop: Shop, installation: Installation) => ({
  webhookSubscriptions: ({ after, first }: Page) => {
    const from = after == null ? 0 : Number(after)
    const page = shop.subscriptions.slice(from, from + Math.min(first ?? 50, 250))
    return {
      nodes: page.map(({ id, name, topic, uri }) => ({ id: gid("WebhookSubscription", id), name, topic, uri })),
      pageInfo: { endCursor: String(from + page.length), hasNextPage: from + page.length < shop.subscriptions.length }
    }
  },
  webhookSubscriptionCreate: ({ topic, webhookSubscription: { name = null, uri } }: Created) => {
    const refused = (field: string, message: string) => ({
      webhookSubscription: null,
      userErrors: [{ field: ["webhookSubscription", field], message }]
    })
    const scope = scopeOfTopic(topic)
    if (scope !== null && !has(installation, scope)) {
      throw new GraphQLError(
        `You do not have permission to create or update webhooks with ${topic} topic. Required access: \`${scope}\` access scope.`,
        { extensions: { code: "ACCESS_DENIED" } }
      )
    }
    if (uri == null || !/^https?:\/\//u.test(uri)) return refused("uri", "Address is invalid")
    if (shop.subscriptions.some((known) => known.topic === topic && known.uri === uri)) {
      return refused("uri", "Address for this topic has already been taken")
    }
    if (name !== null && !nameForm.test(name)) return refused("name", "Name is invalid")
    if (name !== null && shop.subscriptions.some((known) => known.name === name)) {
      return refused("name", "Name has already been taken")
    }
    const made = { id: world.next(), topic, uri, name, failures: 0 }
    shop.subscriptions.push(made)
    return { webhookSubscription: { id: gid("WebhookSubscription", made.id), name, topic, uri }, userErrors: [] }
  }
})
