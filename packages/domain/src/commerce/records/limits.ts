/** How much is kept of what a shop says. */
export const recordLimits = {
  text: 500,
  /** Addresses are not cut: a part of one leads nowhere. */
  url: 2_000,
  tags: 250,
  lines: 500,
  fulfilments: 100,
  refunds: 100,
  variants: 2_000
} as const
