import { londonDay } from "../../../london-date.ts";
import { Button } from "../../../ui/button.tsx";
import { DeleteButton } from "../delete-button.tsx";
import type { Loaded, Outcome } from "../outcome.ts";
import { RecordList, type Column } from "../record-list.tsx";
import { RowActions } from "../row-actions.tsx";
import type { ListedPost } from "./schema.ts";

interface PostListProps {
  posts: Promise<Loaded<ListedPost>>;
  edit: (post: ListedPost) => void;
  remove: (id: string) => Promise<Outcome>;
  onOutcome: (outcome: Outcome) => void;
}

const columns: readonly Column<ListedPost>[] = [
  {
    heading: "Title",
    cell: ({ title, slug }) => (
      <strong>
        <a href={`/blog/${slug}`}>{title}</a>
      </strong>
    ),
  },
  { heading: "Author", cell: ({ author }) => author },
  { heading: "Published", cell: ({ created_at }) => <time dateTime={created_at}>{londonDay(created_at)}</time> },
];

/** The posts, each leading to its page. */
export function PostList({ posts, edit, remove, onOutcome }: PostListProps) {
  return (
    <RecordList
      caption="Blog posts"
      loaded={posts}
      columns={columns}
      empty={
        <>
          <p>No blog posts yet...</p>
          <p>Write the first one with “New Post”; visitors see it at once.</p>
        </>
      }
      renderActions={(post) => (
        <RowActions>
          <Button look="plain" size="small" aria-label={`Edit ${post.title}`} onClick={() => edit(post)}>
            Edit
          </Button>
          <DeleteButton
            id={post.id}
            what={post.title}
            question="Are you sure you want to delete this blog post?"
            run={() => remove(post.id)}
            onOutcome={onOutcome}
          />
        </RowActions>
      )}
    />
  );
}
