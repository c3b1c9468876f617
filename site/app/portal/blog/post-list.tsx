import { href } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { londonDay } from "../../time/london-date.ts";
import type { RecordPageState } from "../records/use-record-page.ts";
import { DeleteButton } from "../records/delete-button.tsx";
import type { ListFilter } from "../lists/list-filter.ts";
import { Moment } from "../time/moment.tsx";
import type { Loaded, Refusal } from "../frame/outcome.ts";
import { RecordList } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { RowAction, RowActions, RowHistory } from "../lists/row-actions.tsx";
import { PreviewLinkButton } from "./preview-link/preview-link-button.tsx";
import type { SharedPost } from "./preview-link/queries.ts";
import { postColumns, type EditForm, type ListedPost } from "./fields.ts";
import { deletePost, openPost, takeDownPost } from "./queries.ts";
import { postStatus } from "./schema.ts";

interface PostListProps {
  posts: Promise<Loaded<ListedPost>>;
  /** The posts with a preview link. */
  shared: Promise<Loaded<SharedPost>>;
  /** The last save of a post whose form was closed, if it is still running. */
  lastSave: (id: string) => Promise<unknown> | undefined;
  page: RecordPageState<EditForm>;
}

const filter: ListFilter<ListedPost> = {
  hint: "Title or author",
  text: ({ title, author }) => `${title} ${author}`,
  choices: [
    {
      name: "status",
      label: "Show",
      labels: { draft: "Drafts", scheduled: "Scheduled", published: "Published" },
      of: (post) => postStatus(post),
    },
  ],
};

const columns: readonly Column<ListedPost>[] = [
  { heading: "Title", share: 60, cell: (post) => <strong>{titleOf(post)}</strong> },
  { heading: "Author", cell: ({ author }) => author },
  { heading: "Published", cell: (post) => <Published {...post} /> },
];

/** The posts, drafts first; published ones link to their pages. */
export function PostList({ posts, shared, lastSave, page }: PostListProps) {
  async function open({ id }: ListedPost): Promise<EditForm | Refusal> {
    await lastSave(id);
    const edit = await openPost(browserClient(), id);
    return "opened" in edit ? { form: "edit", edit, own: true } : edit;
  }

  return (
    <RecordList
      caption="Blog posts"
      loaded={posts}
      removed={page.removed}
      columns={columns}
      filter={filter}
      file={{ name: "blog-posts", columns: postColumns }}
      empty={{ title: "No blog posts yet...", text: "Write the first one with “New post”; visitors see it at once." }}
      renderActions={(post) => {
        const what = nameOf(post);
        return (
          <RowActions>
            <RowAction label="Edit" what={what} run={() => page.beginLoaded(open(post))} />
            {postStatus(post) !== "published" && <PreviewLinkButton id={post.id} what={what} shared={shared} />}
            <RowHistory id={post.id} what={what} />
            {post.published_at !== null && (
              <DeleteButton
                what={what}
                verb={postStatus(post) === "published" ? "Take down" : "Back to draft"}
                busyLabel="Saving..."
                question={
                  postStatus(post) === "published"
                    ? "Take this blog post off the website? It stays here as a draft."
                    : "Make this blog post a draft again? It will not be published."
                }
                run={() => page.act(() => takeDownPost(browserClient(), post.id))}
              />
            )}
            <DeleteButton
              what={what}
              question="Are you sure you want to delete this blog post?"
              run={() => page.remove(post, () => deletePost(browserClient(), post.id))}
            />
          </RowActions>
        );
      }}
    />
  );
}

function titleOf(post: ListedPost) {
  return postStatus(post) === "published" && post.slug !== null ? (
    <a href={href("/blog/:slug", { slug: post.slug })}>{post.title}</a>
  ) : (
    nameOf(post)
  );
}

function nameOf({ title }: ListedPost): string {
  return title.trim() || "Untitled draft";
}

function Published(post: ListedPost) {
  const status = postStatus(post);
  if (status === "published" && post.published_at !== null) return <time dateTime={post.published_at}>{londonDay(post.published_at)}</time>;
  return (
    <>
      <span className="chip" data-tone={status}>
        {status === "draft" ? "Draft" : "Scheduled"}
      </span>{" "}
      {post.published_at === null ? `changed ${londonDay(post.updated_at)}` : <Moment iso={post.published_at} />}
    </>
  );
}
