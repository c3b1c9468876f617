// Generated from supabase/migrations by `npm run types`; do not edit.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      blog_posts: { Row: { author: string; content: string; created_at: string; id: string; image_url: string | null; published_at: string | null; slug: string | null; title: string; updated_at: string }; Insert: { author: string; content: string; created_at?: string; id?: string; image_url?: string | null; published_at?: string | null; slug?: string | null; title: string; updated_at?: string }; Update: { author?: string; content?: string; created_at?: string; id?: string; image_url?: string | null; published_at?: string | null; slug?: string | null; title?: string; updated_at?: string }; Relationships: [] };
      bookings: { Row: { company: string | null; course_id: string; created_at: string; email: string | null; enquiry_id: string | null; id: string; letters: string; name: string; note: string | null; payment_method: string | null; payment_status: string; phone: string | null; places: number; status: string; updated_at: string; updated_by: string | null }; Insert: { company?: string | null; course_id: string; created_at?: string; email?: string | null; enquiry_id?: string | null; id?: string; letters?: string; name: string; note?: string | null; payment_method?: string | null; payment_status?: string; phone?: string | null; places?: number; status?: string; updated_at?: string; updated_by?: string | null }; Update: { company?: string | null; course_id?: string; created_at?: string; email?: string | null; enquiry_id?: string | null; id?: string; letters?: string; name?: string; note?: string | null; payment_method?: string | null; payment_status?: string; phone?: string | null; places?: number; status?: string; updated_at?: string; updated_by?: string | null }; Relationships: [{ foreignKeyName: "bookings_course_id_fkey"; columns: ["course_id"]; isOneToOne: false; referencedRelation: "course_dates"; referencedColumns: ["id"] }, { foreignKeyName: "bookings_enquiry_id_fkey"; columns: ["enquiry_id"]; isOneToOne: false; referencedRelation: "enquiries"; referencedColumns: ["id"] }] };
      changes: { Row: { about: Json | null; act: string; actor: string; actor_email: string | null; actor_id: string | null; after: Json | null; at: string; before: Json | null; columns: string[]; id: number; kind: string; record_id: string; transaction_id: number }; Insert: { about?: Json | null; act: string; actor: string; actor_email?: string | null; actor_id?: string | null; after?: Json | null; at?: string; before?: Json | null; columns?: string[]; id?: never; kind: string; record_id: string; transaction_id?: number }; Update: { about?: Json | null; act?: string; actor?: string; actor_email?: string | null; actor_id?: string | null; after?: Json | null; at?: string; before?: Json | null; columns?: string[]; id?: never; kind?: string; record_id?: string; transaction_id?: number }; Relationships: [] };
      course_dates: { Row: { capacity: number; course_date: string; course_name: string; created_at: string; description: string | null; end_date: string | null; id: string; places_left: number | null; places_taken: number; status: string; trainer_id: string | null; updated_at: string }; Insert: { capacity?: number; course_date: string; course_name: string; created_at?: string; description?: string | null; end_date?: string | null; id?: string; places_left?: never; places_taken?: number; status?: string; trainer_id?: string | null; updated_at?: string }; Update: { capacity?: number; course_date?: string; course_name?: string; created_at?: string; description?: string | null; end_date?: string | null; id?: string; places_left?: never; places_taken?: number; status?: string; trainer_id?: string | null; updated_at?: string }; Relationships: [] };
      enquiries: { Row: { course_id: string | null; course_name: string | null; created_at: string; held_until: string | null; id: string; message: string; name: string; note: string | null; phone: string | null; places: number | null; reply_to: string; request: string | null; status: string; updated_at: string; updated_by: string | null }; Insert: { course_id?: string | null; course_name?: string | null; created_at?: string; held_until?: string | null; id?: string; message: string; name: string; note?: string | null; phone?: string | null; places?: number | null; reply_to: string; request?: string | null; status?: string; updated_at?: string; updated_by?: string | null }; Update: { course_id?: string | null; course_name?: string | null; created_at?: string; held_until?: string | null; id?: string; message?: string; name?: string; note?: string | null; phone?: string | null; places?: number | null; reply_to?: string; request?: string | null; status?: string; updated_at?: string; updated_by?: string | null }; Relationships: [{ foreignKeyName: "enquiries_course_id_fkey"; columns: ["course_id"]; isOneToOne: false; referencedRelation: "course_dates"; referencedColumns: ["id"] }] };
      letter_kinds: { Row: { body: string | null; fields: string[]; id: string; sending: string; subject: string | null; text_message: string | null; texts: string; updated_at: string; updated_by: string | null }; Insert: { body?: string | null; fields: string[]; id: string; sending?: string; subject?: string | null; text_message?: string | null; texts?: string; updated_at?: string; updated_by?: string | null }; Update: { body?: string | null; fields?: string[]; id?: string; sending?: string; subject?: string | null; text_message?: string | null; texts?: string; updated_at?: string; updated_by?: string | null }; Relationships: [] };
      letters: { Row: { body: string | null; booking_id: string | null; by_hand: boolean; channel: string; claim: string | null; course_start: string | null; created_at: string; due_at: string; enquiry_id: string | null; expires_at: string; handed_at: string | null; id: string; kind: string; lease_until: string | null; problem: string | null; recipient: string | null; response: string | null; sent_at: string | null; state: string; subject: string | null; tries: number; waiting_id: string | null }; Insert: { body?: string | null; booking_id?: string | null; by_hand?: boolean; channel?: string; claim?: string | null; course_start?: string | null; created_at?: string; due_at: string; enquiry_id?: string | null; expires_at: string; handed_at?: string | null; id?: string; kind: string; lease_until?: string | null; problem?: string | null; recipient?: string | null; response?: string | null; sent_at?: string | null; state?: string; subject?: string | null; tries?: number; waiting_id?: string | null }; Update: { body?: string | null; booking_id?: string | null; by_hand?: boolean; channel?: string; claim?: string | null; course_start?: string | null; created_at?: string; due_at?: string; enquiry_id?: string | null; expires_at?: string; handed_at?: string | null; id?: string; kind?: string; lease_until?: string | null; problem?: string | null; recipient?: string | null; response?: string | null; sent_at?: string | null; state?: string; subject?: string | null; tries?: number; waiting_id?: string | null }; Relationships: [{ foreignKeyName: "letters_booking_id_fkey"; columns: ["booking_id"]; isOneToOne: false; referencedRelation: "bookings"; referencedColumns: ["id"] }, { foreignKeyName: "letters_enquiry_id_fkey"; columns: ["enquiry_id"]; isOneToOne: false; referencedRelation: "enquiries"; referencedColumns: ["id"] }, { foreignKeyName: "letters_kind_fkey"; columns: ["kind"]; isOneToOne: false; referencedRelation: "letter_kinds"; referencedColumns: ["id"] }, { foreignKeyName: "letters_waiting_id_fkey"; columns: ["waiting_id"]; isOneToOne: false; referencedRelation: "waiting_list"; referencedColumns: ["id"] }] };
      staff_acts: { Row: { act: string; actor_email: string; actor_id: string; begun_at: string; done_at: string | null; id: string; member_email: string; member_id: string | null; member_role: string | null }; Insert: { act: string; actor_email: string; actor_id: string; begun_at?: string; done_at?: string | null; id?: string; member_email: string; member_id?: string | null; member_role?: string | null }; Update: { act?: string; actor_email?: string; actor_id?: string; begun_at?: string; done_at?: string | null; id?: string; member_email?: string; member_id?: string | null; member_role?: string | null }; Relationships: [] };
      waiting_list: { Row: { called_at: string | null; course_id: string; created_at: string; email: string | null; id: string; name: string; note: string | null; phone: string | null; places: number; position: number; updated_at: string; updated_by: string | null }; Insert: { called_at?: string | null; course_id: string; created_at?: string; email?: string | null; id?: string; name: string; note?: string | null; phone?: string | null; places?: number; position?: number; updated_at?: string; updated_by?: string | null }; Update: { called_at?: string | null; course_id?: string; created_at?: string; email?: string | null; id?: string; name?: string; note?: string | null; phone?: string | null; places?: number; position?: number; updated_at?: string; updated_by?: string | null }; Relationships: [{ foreignKeyName: "waiting_list_course_id_fkey"; columns: ["course_id"]; isOneToOne: false; referencedRelation: "course_dates"; referencedColumns: ["id"] }] };
    };
    Views: Record<never, never>;
    Functions: {
      apply_retention: { Args: never; Returns: Json };
      backup_state: { Args: never; Returns: Record<string, unknown>[] };
      begin_backup_check: { Args: never; Returns: string };
      begin_staff_act: { Args: { act: string; member_id?: string; member_email?: string; member_role?: string }; Returns: string };
      book_request: { Args: { enquiry: string; seen: string }; Returns: string };
      book_waiting: { Args: { entry: string }; Returns: string };
      calendar_feed: { Args: { key: string }; Returns: Json };
      calendar_feed_made_at: { Args: never; Returns: string };
      call_off_date: { Args: { date_id: string; move_to?: string }; Returns: Json };
      change_letter: { Args: { letter: string; act: string }; Returns: undefined };
      claim_backup_mails: { Args: never; Returns: Record<string, unknown>[] };
      claim_enquiry_mails: { Args: never; Returns: Record<string, unknown>[] };
      claim_letter: { Args: { mails?: boolean; texts?: boolean }; Returns: Json };
      course_removals: { Args: never; Returns: Json };
      end_backup_check: { Args: { night: string; row_count?: number; problem?: string }; Returns: undefined };
      erase_person: { Args: { contact: string; only_count: boolean }; Returns: Json };
      export_person: { Args: { contact: string }; Returns: Json };
      figures: { Args: never; Returns: Json };
      find_people: { Args: { words: string }; Returns: Json };
      hand_over_letter: { Args: { letter: string; claim: string }; Returns: boolean };
      hold_hours: { Args: never; Returns: number };
      late_work: { Args: never; Returns: Json };
      list_staff: { Args: never; Returns: Json };
      make_calendar_feed: { Args: never; Returns: string };
      move_waiting: { Args: { entry: string; up: boolean }; Returns: undefined };
      note_backup_mailed: { Args: { night: string }; Returns: undefined };
      note_enquiry_mailed: { Args: { enquiry_id: string; kind?: string }; Returns: undefined };
      note_letter: { Args: { letter: string; claim: string; result: string; response?: string; recipient?: string; subject?: string; body?: string }; Returns: undefined };
      own_register: { Args: { date_id: string }; Returns: Json };
      own_role: { Args: never; Returns: string };
      own_sessions: { Args: never; Returns: Json };
      post_image_uses: { Args: { image_name: string }; Returns: string[] };
      posts_expire_at: { Args: never; Returns: string };
      record_opt_out: { Args: { client_network?: string }; Returns: undefined };
      record_page_views: { Args: { views: Json }; Returns: string[] };
      release_holds: { Args: never; Returns: undefined };
      remove_calendar_feed: { Args: never; Returns: undefined };
      request_place: { Args: { id: string; course_id: string; name: string; places: number; email?: string; phone?: string; message?: string; client_network?: string }; Returns: string };
      search_bookings: { Args: { words: string; before: string }; Returns: Json };
      search_portal: { Args: { words: string; rest?: string; days?: string[]; courses?: string[] }; Returns: Json };
      send_enquiry: { Args: { id: string; name: string; reply_to: string; message: string; course_name?: string; client_network?: string }; Returns: string };
      set_hold_hours: { Args: { hours?: number }; Returns: undefined };
      undo_call_off: { Args: { date_id: string; former_status: string; moved: string[]; moved_to?: string }; Returns: number };
      undo_delete: { Args: { kind: string; record_id: string; onto?: string; address?: string }; Returns: number };
      website_stats: { Args: { period_days: number; pages?: Json; post_prefix?: string }; Returns: Record<string, unknown>[] };
    };
    Enums: Record<never, never>;
    CompositeTypes: Record<never, never>;
  };
};
