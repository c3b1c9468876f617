import { londonDay } from "../../../london-date.ts";
import { DeleteButton } from "../delete-button.tsx";
import type { Loaded } from "../outcome.ts";
import { RecordList } from "../record-list.tsx";
import type { Column } from "../record-table.tsx";
import { RowAction, RowActions } from "../row-actions.tsx";
import type { ListedPost } from "./schema.ts";

interface PostListProps {
  posts: Promise<Loaded<ListedPost>>;
  edit: (post: ListedPost) => void;
  remove: (id: string) => Promise<void>;
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
export function PostList({ posts, edit, remove }: PostListProps) {
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
          <RowAction label="Edit" what={post.title} run={() => edit(post)} />
          <DeleteButton
            id={post.id}
            what={post.title}
            question="Are you sure you want to delete this blog post?"
            run={() => remove(post.id)}
          />
        </RowActions>
      )}
    />
  );
}
