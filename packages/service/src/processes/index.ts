export { type Joined, joinOthers, ownPost } from "./Channel.ts"
export { type Post, posts, processCount } from "./Post.ts"
export * from "./runTogether.ts"
