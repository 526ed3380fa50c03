/** How many of so many shards are a node's own among all nodes that share them: two nodes never differ by more than one. */
export const shareOf = (node: string, nodes: ReadonlyArray<string>, shards: number): number => {
  const place = nodes.toSorted().indexOf(node)
  if (place < 0) return 0
  return Math.floor(shards / nodes.length) + (place < shards % nodes.length ? 1 : 0)
}
